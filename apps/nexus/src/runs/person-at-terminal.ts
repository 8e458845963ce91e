import { isRecord, JSON_RPC, ProtocolError } from '@nexus/core';
import { DIGEST_FIELD } from '@nexus/core/forms';
import type { AskedQuestion } from '@nexus/plugin-sdk';
import pLimit from 'p-limit';
import type { ClientOffers } from '../client/connect-to-nexus.ts';
import { askForm } from '../terminal/ask-form.ts';
import { answerCommand } from '../terminal/question-lines.ts';
import { readLine } from '../terminal/read-line.ts';
import { shown } from '../terminal/shown.ts';

type Members = Readonly<Record<string, unknown>>;

interface Shown {
  show(report: Members): void;
  clear(): void;
}

/** A person who waits for a call at a terminal, and answers there what it asks. */
export interface PersonAtTerminal {
  readonly offers: ClientOffers;
  /** In the place of what is given: what is reported during a dialogue is shown after it. */
  readonly progress: Shown;
  /** Whether a dialogue is on the terminal now. */
  isAsking(): boolean;
  /** Whether the person has left this question open; without one, any. */
  hasLeft(question?: Pick<AskedQuestion, 'runId' | 'name'>): boolean;
}

export function canAsk(): boolean {
  return Boolean(process.stdin.isTTY && process.stderr.isTTY);
}

/** @param lookOnce shows how things stand: what a question is about has ended by then */
export function personAtTerminal(progress: Shown, lookOnce: () => Promise<void>): PersonAtTerminal {
  const write = (text: string) => void process.stderr.write(shown(text, process.stderr));
  const inTurn = pLimit(1);
  const waiting: Members[] = [];
  let isAsking = false;
  const left = new Set<string>();

  async function ask(params: Members, signal: AbortSignal): Promise<Members> {
    const { message, requestedSchema } = params;
    if (typeof message !== 'string' || !isRecord(requestedSchema)) {
      throw new ProtocolError(JSON_RPC.invalidParams, 'a form has a message and a requestedSchema');
    }
    if (signal.aborted) return { action: 'cancel' };
    isAsking = true;
    await lookOnce();
    progress.clear();
    try {
      const desk = { write, readLine: (prompt: string) => readLine(prompt, signal) };
      const answer = await askForm({ message, requestedSchema }, desk);
      if (signal.aborted) write('\nIt is answered already, or asked no more.\n');
      else if (answer.action === 'cancel') leave(params);
      return { ...answer };
    } finally {
      isAsking = false;
      for (const report of waiting.splice(0)) progress.show(report);
    }
  }

  function leave({ _meta, requestedSchema }: Members): void {
    const of = isRecord(_meta) ? _meta['nexus/question'] : undefined;
    const { runId, name } = isRecord(of) ? of : {};
    left.add(`${String(runId)}/${String(name)}`);
    // On a line of its own, so that a shell takes it whole where it is broken.
    const how = isRecord(of) ? `; to answer it:\n  ${commandFor(of, requestedSchema as Members)}` : '.';
    write(`\nLeft open${how}\n`);
  }

  return {
    offers: {
      capabilities: { elicitation: { form: {} } },
      listener: {
        notification() {},
        request(method, params, { signal }) {
          if (method === 'elicitation/create') return inTurn(() => ask(params, signal));
          throw new ProtocolError(JSON_RPC.methodNotFound, `this client does not offer ${method}`);
        },
      },
    },
    progress: {
      show: (report) => void (isAsking ? waiting.push(report) : progress.show(report)),
      clear: () => progress.clear(),
    },
    isAsking: () => isAsking,
    hasLeft: (question) => (question ? left.has(`${question.runId}/${question.name}`) : left.size > 0),
  };
}

/** Without the field that is this dialogue's own. */
function commandFor({ runId, name, digest }: Members, { properties, ...schema }: Members): string {
  const { [DIGEST_FIELD]: _, ...own } = isRecord(properties) ? properties : {};
  const { required } = schema;
  return answerCommand({
    runId: String(runId),
    name: String(name),
    requestedSchema: {
      ...schema,
      properties: own,
      required: Array.isArray(required) ? required.filter((each) => each !== DIGEST_FIELD) : [],
    },
    ...(typeof digest === 'string' ? { digest } : {}),
  });
}
