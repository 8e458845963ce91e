import type { Permission, Person } from '@nexus/chat';
import { isRecord } from '@nexus/core';
import type { ElicitationAnswer, ToolUse } from '@nexus/plugin-sdk';
import { visibleJson, visibleLine } from '@nexus/untrusted/shown';
import pLimit from 'p-limit';
import type { LineReader } from './line-reader.ts';

const YES_OR_NO = { y: true, n: false };

/** The person at the terminal, asked one thing at a time. */
export interface TerminalPerson extends Person {
  permit(use: ToolUse, signal: AbortSignal): Promise<Permission>;
}

export function terminalPerson(lines: LineReader, write: (text: string) => void): TerminalPerson {
  /** Questions of several servers and calls wait for each other. */
  const inTurn = pLimit(1);

  /** One of the letters and nothing else; asked again until it is. The end of input is a no. */
  async function choose<Answer>(
    answers: Readonly<Record<string, Answer>> & { readonly n: Answer },
    prompt: string,
    signal: AbortSignal,
  ): Promise<Answer> {
    for (;;) {
      const said = (await lines.question(prompt, signal))?.trim().toLowerCase();
      if (said === undefined) return answers.n;
      const answer = Object.hasOwn(answers, said) ? answers[said] : undefined;
      if (answer !== undefined) return answer;
      write(`That is none of ${Object.keys(answers).join(', ')}.\n`);
    }
  }

  return {
    permit: (use, signal) =>
      inTurn(async () => {
        write(`${visibleLine(use.name)} may change something.\n`);
        const answers = { y: 'once', a: 'always', n: 'no' } as const;
        return choose(answers, 'Allow it? [y]es once, [a]lways this tool, [n]o: ', signal);
      }),
    allowsSampling: (server, params, signal) =>
      inTurn(async () => {
        write(`${visibleLine(server)} wants to ask the model: ${visibleJson(params.messages)}\n`);
        return choose(YES_OR_NO, 'Allow it? [y]es, [n]o: ', signal);
      }),
    elicit: (server, request, signal) =>
      inTurn(async (): Promise<ElicitationAnswer> => {
        write(`${visibleLine(server)} asks: ${visibleLine(request.message)}\n`);
        if (!('requestedSchema' in request)) {
          write(`It wants you to visit ${visibleLine(request.url)}\n`);
          return {
            action: (await choose(YES_OR_NO, 'Will you? [y]es, [n]o: ', signal)) ? 'accept' : 'decline',
          };
        }
        const properties = isRecord(request.requestedSchema.properties)
          ? request.requestedSchema.properties
          : {};
        const content: Record<string, unknown> = {};
        for (const [name, schema] of Object.entries(properties)) {
          const answer = await lines.question(`${describe(name, schema)} (/no declines): `, signal);
          if (answer === undefined) return { action: 'cancel' };
          if (answer.trim() === '/no') return { action: 'decline' };
          if (answer.trim() !== '') content[name] = typed(answer.trim(), schema);
        }
        if (Object.keys(properties).length === 0 && !(await choose(YES_OR_NO, '[y]es, [n]o: ', signal)))
          return { action: 'decline' };
        return { action: 'accept', content };
      }),
  };
}

function describe(name: string, schema: unknown): string {
  if (!isRecord(schema)) return visibleLine(name);
  const choices = Array.isArray(schema.enum) ? `, one of ${schema.enum.join(', ')}` : '';
  return visibleLine(`${String(schema.title ?? name)} [${String(schema.type)}${choices}]`);
}

function typed(answer: string, schema: unknown): unknown {
  const type = isRecord(schema) ? schema.type : undefined;
  if (type === 'boolean') return /^(y|yes|true|1)$/i.test(answer);
  return type === 'number' || type === 'integer' ? Number(answer) : answer;
}
