export interface EdgeServer {
  readonly url: string;
  agent(threadId: string): {
    release(label: string): Promise<void>;
    crash(): Promise<void>;
    counts(): Promise<Record<string, number>>;
  };
  /** Resident memory of the server's process in MiB; 0 where nothing says. */
  residentMiB(): number;
  dispose(): Promise<void>;
}

export interface EdgeServerOptions {
  /** The Worker's source, from the root of the repository. */
  readonly entry: string;
  /** Classes of Durable Objects by binding; `agent` gives objects of the first. */
  readonly objects: Readonly<Record<string, string>>;
  /** Other Workers beside it. */
  readonly workers?: readonly object[];
  /** Options of Miniflare for the Worker. */
  readonly [option: string]: unknown;
}

export function startEdgeServer(options?: EdgeServerOptions): Promise<EdgeServer>;
