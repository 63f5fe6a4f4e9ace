export interface EdgeServer {
  readonly url: string;
  agent(threadId: string): {
    release(label: string): Promise<void>;
    crash(): Promise<void>;
    counts(): Promise<Record<string, number>>;
  };
  dispose(): Promise<void>;
}

export function startEdgeServer(): Promise<EdgeServer>;
