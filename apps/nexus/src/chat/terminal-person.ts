import type { Permission, Person } from '@nexus/chat';
import { isRecord } from '@nexus/core';
import type { ElicitationAnswer, ToolUse } from '@nexus/plugin-sdk';
import pLimit from 'p-limit';
import { oneLine } from '../terminal/table.ts';
import type { LineReader } from './line-reader.ts';

/** The person at the terminal, asked one thing at a time. */
export interface TerminalPerson extends Person {
  permit(use: ToolUse, signal: AbortSignal): Promise<Permission>;
}

export function terminalPerson(lines: LineReader, write: (text: string) => void): TerminalPerson {
  /** Questions of several servers and calls wait for each other. */
  const inTurn = pLimit(1);
  const choose = async (prompt: string, signal: AbortSignal) =>
    (await lines.question(prompt, signal))?.trim().toLowerCase() ?? '';

  return {
    permit: (use, signal) =>
      inTurn(async () => {
        write(`${oneLine(use.name)} may change something.\n`);
        const answer = await choose('Allow it? [y]es once, [a]lways this tool, [N]o: ', signal);
        if (answer.startsWith('a')) return 'always';
        return answer.startsWith('y') ? 'once' : 'no';
      }),
    allowsSampling: (server, params, signal) =>
      inTurn(async () => {
        write(
          `${server} wants to ask the model: ${oneLine(JSON.stringify(params.messages)).slice(0, 400)}\n`,
        );
        return (await choose('Let it? [y]es, [N]o: ', signal)).startsWith('y');
      }),
    elicit: (server, request, signal) =>
      inTurn(async (): Promise<ElicitationAnswer> => {
        write(`${server} asks: ${oneLine(request.message)}\n`);
        if (!('requestedSchema' in request)) {
          write(`It wants you to visit ${oneLine(request.url)}\n`);
          return {
            action: (await choose('Will you? [y]es, [N]o: ', signal)).startsWith('y') ? 'accept' : 'decline',
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
        if (Object.keys(properties).length === 0 && !(await choose('[y]es, [N]o: ', signal)).startsWith('y'))
          return { action: 'decline' };
        return { action: 'accept', content };
      }),
  };
}

function describe(name: string, schema: unknown): string {
  if (!isRecord(schema)) return oneLine(name);
  const choices = Array.isArray(schema.enum) ? `, one of ${schema.enum.join(', ')}` : '';
  return oneLine(`${String(schema.title ?? name)} [${String(schema.type)}${choices}]`);
}

function typed(answer: string, schema: unknown): unknown {
  const type = isRecord(schema) ? schema.type : undefined;
  if (type === 'boolean') return /^(y|yes|true|1)$/i.test(answer);
  return type === 'number' || type === 'integer' ? Number(answer) : answer;
}
