import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { type EndpointScript, type ModelEndpoint, modelEndpoint, type Reply } from '@nexus/testing';
import { expect, vi } from 'vitest';
import { makeProject, type Project, type ProjectInput } from './project.ts';
import { openTerminal } from './terminal.ts';

export const domainsServer = fileURLToPath(new URL('../fixtures/domains-server/main.mjs', import.meta.url));
/** For --server. */
export const domains = `"${process.execPath}" "${domainsServer}"`;

export interface ChatUnderTest extends AsyncDisposable {
  readonly endpoint: ModelEndpoint;
  readonly project: Project;
}

/** A project whose only models are scripted ones on loopback. */
export async function startChat(
  script: EndpointScript,
  config?: ProjectInput['config'],
  files?: ProjectInput['files'],
): Promise<ChatUnderTest> {
  const endpoint = await modelEndpoint(script);
  const env = {
    PATH: '/usr/bin:/bin',
    ANTHROPIC_API_KEY: 'sk-test-key',
    ANTHROPIC_BASE_URL: endpoint.url,
    OPENAI_API_KEY: 'sk-test-key',
    OPENAI_BASE_URL: `${endpoint.url}/v1`,
  };
  const project = await makeProject({ env, ...(config ? { config } : {}), ...(files ? { files } : {}) });
  return {
    endpoint,
    project,
    async [Symbol.asyncDispose]() {
      await project[Symbol.asyncDispose]();
      await endpoint[Symbol.asyncDispose]();
    },
  };
}

export const calls = (...tools: NonNullable<Extract<Reply, { tools?: unknown }>['tools']>): Reply => ({
  tools,
});

/** `nexus chat <args>` on a terminal. */
export function chatOnTerminal(project: Project, args: readonly string[], columns?: number) {
  const terminal = openTerminal(project, ['chat', ...args], columns);
  const screen = () => stripVTControlCharacters(terminal.shown()).replaceAll('\r\n', '\n');
  let seen = 0;
  return {
    screen,
    exited: terminal.exited,
    type: (text: string) => terminal.type(text),
    /** Types a line, and waits for what it brings, on what is written from here on. */
    async say(line: string, brings: RegExp): Promise<string> {
      terminal.type(`${line}\r`);
      return this.shows(brings);
    },
    /** @returns what was written since the last wait */
    async shows(pattern: RegExp): Promise<string> {
      const since = await vi.waitFor(
        () => {
          const text = screen().slice(seen);
          expect(text).toMatch(pattern);
          return text;
        },
        { timeout: 30_000 },
      );
      const found = pattern.exec(since);
      seen += (found?.index ?? 0) + (found?.[0].length ?? 0);
      return since;
    },
  };
}
