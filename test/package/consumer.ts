/**
 * A project that uses the package: a folder of its own with the packed files, and exactly the packages it names.
 * Those are links to the ones of this repository, so that nothing is downloaded; what the package itself depends on
 * is linked too, what it forgot to declare is not there.
 */
import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { inject, onTestFinished } from "vitest";

export const root: string = join(import.meta.dirname, "../..");

export interface ConsumerOptions {
  /** Names, or `name@alias` for a package that this repository has under another name (`zod@zod-3`). */
  readonly packages?: readonly string[];
  readonly files?: Readonly<Record<string, string>>;
}

export interface Output {
  readonly stdout: string;
  readonly stderr: string;
}

/** What an agent in LangChain needs beside this package. */
export const langchain: readonly string[] = [
  "langchain",
  "@langchain/core",
  "@langchain/langgraph",
  "@langchain/langgraph-checkpoint",
  "zod",
];

export class Consumer {
  readonly directory: string;

  constructor({ packages = [], files = {} }: ConsumerOptions = {}) {
    this.directory = mkdtempSync(join(tmpdir(), "edge-interpreter-consumer-"));
    onTestFinished(() => rmSync(this.directory, { recursive: true, force: true }));
    this.write({
      "package.json": JSON.stringify({ name: "consumer", private: true, type: "module" }),
      ...files,
    });
    this.addCopy("edge-interpreter");
    for (const name of packages) this.#link(name);
  }

  path(file: string): string {
    return join(this.directory, file);
  }

  write(files: Readonly<Record<string, string>>): void {
    for (const [file, text] of Object.entries(files)) {
      mkdirSync(dirname(this.path(file)), { recursive: true });
      writeFileSync(this.path(file), text);
    }
  }

  /** Another copy of the package beside the first: a module of its own. */
  addCopy(name: string): void {
    cpSync(inject("packed").directory, this.path(`node_modules/${name}`), { recursive: true });
    const { dependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
      dependencies: Record<string, string>;
    };
    for (const dependency of Object.keys(dependencies)) this.#link(dependency);
  }

  /** @throws with what the command printed when it fails. */
  async run(command: string, args: readonly string[], env: Record<string, string> = {}): Promise<Output> {
    const options = { cwd: this.directory, env: { ...process.env, ...env }, maxBuffer: 64 * 1024 * 1024 };
    try {
      return await promisify(execFile)(command, args, options);
    } catch (error) {
      const { stdout, stderr } = error as Output;
      throw new Error(`${command} ${args.join(" ")} failed:\n${stdout}\n${stderr}`, { cause: error });
    }
  }

  node(...args: string[]): Promise<Output> {
    return this.run(process.execPath, args);
  }

  #link(entry: string): void {
    const [name = "", source = name] = entry.startsWith("@") ? [entry] : entry.split("@");
    const place = this.path(`node_modules/${name}`);
    mkdirSync(dirname(place), { recursive: true });
    rmSync(place, { force: true });
    symlinkSync(join(root, "node_modules", source), place);
  }
}
