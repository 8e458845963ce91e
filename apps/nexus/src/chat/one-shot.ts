import type { Permission } from '@nexus/chat';
import { costLine, isToolError } from '@nexus/plugin-sdk';
import { redactText } from '@nexus/untrusted/secrets';
import { visibleLine } from '@nexus/untrusted/shown';
import { shown } from '../terminal/shown.ts';
import { belowAnswer } from './below-answer.ts';
import { type OpenChatOptions, openChat } from './open-chat.ts';
import { summaryWords, turnView, unseenLines } from './show-turn.ts';
import { interruptedWords } from './spent-words.ts';

export interface OneShotOptions
  extends Pick<OpenChatOptions, 'config' | 'commands' | 'model' | 'maxCostUsd' | 'resume'> {
  readonly question: string;
  readonly isJson: boolean;
  /** Every tool may be called unasked. */
  readonly saysYes: boolean;
}

/** One question, answered on stdout; for scripts and pipes, so nobody is asked anything. @returns the exit code */
export async function askOnce({ question, isJson, saysYes, ...options }: OneShotOptions): Promise<number> {
  const cancel = new AbortController();
  const interrupt = () => cancel.abort(new Error('interrupted'));
  process.once('SIGINT', interrupt);
  let conversation: string | undefined;
  let unknown = () => '';
  const warn = (text: string) => process.stderr.write(shown(`nexus: ${redactText(text)}\n`, process.stderr));
  try {
    await using open = await openChat({
      ...options,
      missing: (what, reason) => warn(`${what} is left out: ${reason}`),
      async permit(use): Promise<Permission> {
        if (saysYes) return 'once';
        warn(
          `${visibleLine(use.name)} may change something and was not called: nobody is asked here; --yes allows it.`,
        );
        return 'nobody to ask';
      },
      person: {
        // Nobody has seen what was asked.
        elicit: async () => ({ action: 'cancel' }),
        allowsSampling: async () => saysYes,
      },
    });
    conversation = open.chat.session.id;
    const unseen = unseenLines(open.store.unseenCalls(open.chat.session));
    if (unseen.length > 0) warn(unseen.join('\n'));
    const before = open.ledger.spent;
    unknown = () => interruptedWords(before, open.ledger.spent);
    await open.servers.refresh(cancel.signal);
    const view = turnView(process.stdout, (text) => process.stdout.write(text));
    const startedAt = performance.now();
    const { text, usage, calls, model, toolCalls, endedBy } = await open.chat.ask(question, {
      signal: cancel.signal,
      onEvent(event) {
        // Beside the answer, which is a script's.
        if (event.type === 'summary') warn(summaryWords(event.summary.text));
        else if (!isJson) view.show(event);
      },
    });
    const missing = await open.notThere(text, cancel.signal);
    if (isJson) {
      const { id: session, messages } = open.chat.session;
      process.stdout.write(
        `${JSON.stringify({ text, missing, model, endedBy, toolCalls, calls, usage, session, messages }, null, 2)}\n`,
      );
    } else {
      view.end();
      process.stdout.write(shown(belowAnswer({ text, toolCalls, missing }), process.stdout));
      const cost = costLine({ ...usage, calls }, performance.now() - startedAt);
      process.stderr.write(shown(`[${model}: ${cost}]\n`, process.stderr));
    }
    if (endedBy !== 'answer')
      warn(
        endedBy === 'steps' ? 'the limit of steps was reached' : 'the model repeated itself and was stopped',
      );
    return endedBy === 'answer' ? 0 : 1;
  } catch (error) {
    if (!isToolError(error) && !cancel.signal.aborted) throw error;
    const how =
      isToolError(error) && error.code === 'NEXUS_BUDGET_EXCEEDED' && conversation !== undefined
        ? ` Go on by nexus chat --resume ${conversation} with a higher --max-cost.`
        : '';
    warn(`${(error as Error).message}${how}${unknown()}`);
    return cancel.signal.aborted ? 130 : 1;
  } finally {
    process.off('SIGINT', interrupt);
  }
}
