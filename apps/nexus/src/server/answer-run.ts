import type { Answer, AskedQuestion, Runs } from '@nexus/plugin-sdk';

/** An answer as a person writes it on a command line. */
export interface GivenAnswer {
  readonly action: Exclude<Answer['action'], 'cancel'>;
  /** What is written for each field; its type is the question's to say. */
  readonly fields?: Readonly<Record<string, string>>;
  readonly question?: string;
  /** Of what the answer is for: enough of its beginning. */
  readonly digest?: string;
}

/**
 * Answers what a run asks, or one that it waits for: whoever looks at the first sees the questions of all. One
 * that is not asked yet is answered ahead.
 * @throws {ToolError} as `Runs.answer` does
 */
export function answerRun(
  runs: Pick<Runs, 'answer'>,
  id: string,
  { action, fields, question, digest }: GivenAnswer,
): Promise<AskedQuestion> {
  return runs.answer(
    id,
    { action, ...(fields ? { content: fields } : {}) },
    {
      isWritten: true,
      ...(question === undefined ? {} : { question }),
      ...(digest === undefined ? {} : { digest }),
    },
  );
}
