/**
 * What the core needs from any JavaScript runtime, and nothing else: `src/tsconfig.json` has no `lib` for a
 * platform, so a name that is missing here does not compile. Never imported, never emitted.
 */
declare namespace WebAssembly {
  class Module {
    constructor(bytes: ArrayBufferView | ArrayBuffer);
    static exports(module: Module): { name: string; kind: string }[];
    static imports(module: Module): { module: string; name: string; kind: string }[];
  }
  interface Instance {
    readonly exports: Record<string, unknown>;
  }
  class Memory {
    constructor(descriptor: { initial: number; maximum?: number });
    readonly buffer: ArrayBuffer;
    grow(pages: number): number;
  }
  class RuntimeError extends Error {}
  function compile(bytes: ArrayBufferView | ArrayBuffer): Promise<Module>;
  const compileStreaming: undefined | ((response: unknown) => Promise<Module>);
  function instantiate(module: Module, imports: Record<string, Record<string, unknown>>): Promise<Instance>;
}

declare class TextEncoder {
  encode(text: string): Uint8Array<ArrayBuffer>;
  encodeInto(text: string, target: Uint8Array): { readonly read: number; readonly written: number };
}
declare class TextDecoder {
  constructor(label?: string, options?: { fatal?: boolean; ignoreBOM?: boolean });
  decode(bytes: ArrayBufferView | ArrayBuffer): string;
}

interface ByteStream {
  pipeThrough(transform: { readonly readable: unknown; readonly writable: unknown }): ByteStream;
}
declare class Blob {
  constructor(parts: (ArrayBufferView | ArrayBuffer | string)[]);
  stream(): ByteStream;
}
declare class Response {
  constructor(body: ByteStream);
  arrayBuffer(): Promise<ArrayBuffer>;
}
interface ByteReadable {
  getReader(): {
    read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>;
    cancel(): Promise<void>;
  };
}
interface ByteWritable {
  getWriter(): { write(bytes: Uint8Array): Promise<void>; close(): Promise<void> };
}
declare class CompressionStream {
  constructor(format: "deflate-raw");
  readonly readable: ByteReadable;
  readonly writable: ByteWritable;
}
declare class DecompressionStream {
  constructor(format: "deflate-raw");
  readonly readable: ByteReadable;
  readonly writable: ByteWritable;
}

interface CryptoKey {
  readonly type: string;
}
declare const crypto: {
  getRandomValues<T extends ArrayBufferView>(array: T): T;
  randomUUID(): string;
  readonly subtle: {
    digest(algorithm: "SHA-256", data: ArrayBufferView | ArrayBuffer): Promise<ArrayBuffer>;
    importKey(
      format: "raw",
      data: ArrayBufferView,
      algorithm: { name: "HMAC"; hash: "SHA-256" },
      extractable: boolean,
      usages: ("sign" | "verify")[],
    ): Promise<CryptoKey>;
    sign(algorithm: "HMAC", key: CryptoKey, data: ArrayBufferView): Promise<ArrayBuffer>;
    verify(
      algorithm: "HMAC",
      key: CryptoKey,
      signature: ArrayBufferView,
      data: ArrayBufferView,
    ): Promise<boolean>;
  };
};

declare function fetch(url: string): Promise<{
  readonly ok: boolean;
  readonly status: number;
  readonly url: string;
  readonly headers: { get(name: string): string | null };
  arrayBuffer(): Promise<ArrayBuffer>;
}>;

declare const performance: { now(): number };
declare function setTimeout(callback: () => void, ms: number): unknown;
declare function clearTimeout(timer: unknown): void;

declare class AbortSignal {
  readonly aborted: boolean;
  readonly reason: unknown;
  addEventListener(type: "abort", listener: () => void, options?: { once?: boolean }): void;
  removeEventListener(type: "abort", listener: () => void): void;
}
declare class AbortController {
  readonly signal: AbortSignal;
  abort(reason?: unknown): void;
}

declare function atob(text: string): string;
declare function btoa(text: string): string;

declare class URL {
  constructor(url: string, base?: string);
  href: string;
  readonly origin: string;
  protocol: string;
  username: string;
  password: string;
  host: string;
  hostname: string;
  port: string;
  pathname: string;
  search: string;
  hash: string;
}

/** Read in `capacity.ts` only. */
declare const navigator: { readonly userAgent?: string };
