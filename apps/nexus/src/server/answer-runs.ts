import {
  type Answer,
  type Budget,
  type ErrorCode,
  type RunStatus,
  type Runs,
  ToolError,
  type VoteOutcomeInput,
  voteOutcome,
} from '@nexus/plugin-sdk';

/** Telling an outcome is two writes; a server that does not get to it says so. */
const OUTCOME_MS = 20_000;

/** What `nexus runs` and `nexus votes` ask of the server that runs them. */
export type RunsRequest =
  | { readonly what: 'list'; readonly limit: number; readonly status?: RunStatus }
  | { readonly what: 'show' | 'cancel'; readonly id: string }
  | { readonly what: 'answer'; readonly id: string; readonly question?: string; readonly answer: Answer }
  | { readonly what: 'resume'; readonly id: string; readonly cap?: NonNullable<Budget['cap']> }
  | { readonly what: 'tell-outcome'; readonly input: VoteOutcomeInput };

/** @throws {ToolError} as `host.runs` does */
export async function answerRuns(
  runs: Runs,
  request: RunsRequest,
): Promise<Readonly<Record<string, unknown>>> {
  switch (request.what) {
    case 'list': {
      const { limit, status } = request;
      return { ...(await runs.list({ limit, status })) };
    }
    case 'show':
      return { ...(await runs.get(request.id)) };
    case 'cancel':
      return { ...(await runs.cancel(request.id)) };
    case 'resume': {
      const { id, cap } = request;
      return { ...(await runs.resume(id, cap ? { cap } : {})) };
    }
    case 'tell-outcome': {
      const { id } = await runs.start(voteOutcome, request.input);
      const told = await runs.wait(id, { waitMs: OUTCOME_MS, signal: AbortSignal.timeout(OUTCOME_MS * 2) });
      if (told.status === 'completed') return { ...(told.output as object) };
      const { code = 'NEXUS_UNAVAILABLE', message = `Run ${id} is ${told.status}.` } = told.error ?? {};
      throw new ToolError(code as ErrorCode, message); // of the error table, as every run's
    }
    case 'answer': {
      const { id, question: name, answer } = request;
      const { questions } = await runs.get(id);
      const open = questions.filter(({ status }) => status === 'open');
      const asked = name === undefined ? open : open.filter((each) => each.name === name);
      // The answer is for what stands there now: a question about something exact takes no other.
      const digest = asked.length === 1 ? asked[0]?.digest : undefined;
      const of = {
        ...(name === undefined ? {} : { question: name }),
        ...(digest === undefined ? {} : { digest }),
      };
      return { ...(await runs.answer(id, answer, of)) };
    }
  }
}
