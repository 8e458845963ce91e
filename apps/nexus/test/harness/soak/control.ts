import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, get } from 'node:http';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';

/** Each process does something else at one moment; what the machine does lasts longer than that. */
const SHORTLY_MS = 2_000;

/**
 * A process beside the server that nobody attacks, asked as often, by as many connections, for about as
 * much work: how long it takes to answer is how long this machine makes anybody wait, the client included.
 */
export class Control implements AsyncDisposable {
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  readonly #url: string;
  readonly #agent = new Agent({ keepAlive: true });
  readonly #waits: { readonly from: number; readonly to: number }[] = [];

  static async start(): Promise<Control> {
    const program = fileURLToPath(new URL('../../fixtures/control-server.mjs', import.meta.url));
    const child = spawn(process.execPath, [program], { stdio: ['pipe', 'pipe', 'inherit'] });
    const [url] = await once(child.stdout.setEncoding('utf8'), 'data');
    return new Control(child, String(url));
  }

  private constructor(child: ChildProcessByStdio<Writable, Readable, null>, url: string) {
    this.#child = child;
    this.#url = url;
  }

  async ask(): Promise<void> {
    const from = performance.now();
    await new Promise<void>((resolve, reject) => {
      get(this.#url, { agent: this.#agent }, (response) => response.resume().once('end', resolve)).once(
        'error',
        reject,
      );
    });
    this.#waits.push({ from, to: performance.now() });
    if (this.#waits.length > 20_000) this.#waits.splice(0, 10_000);
  }

  /** The longest that anybody waited for it while that time went by, or shortly before. */
  longest(from: number, to: number): number {
    const meanwhile = this.#waits.filter((wait) => wait.from < to && wait.to > from - SHORTLY_MS);
    return Math.max(0, ...meanwhile.map((wait) => wait.to - wait.from));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#agent.destroy();
    this.#child.kill('SIGKILL');
    if (this.#child.exitCode === null && this.#child.signalCode === null) await once(this.#child, 'exit');
  }
}
