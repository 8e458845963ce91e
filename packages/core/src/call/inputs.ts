import type { Answer, AskedQuestion, CallInputs, ElicitationAnswer, ToolCallResult } from '@nexus/plugin-sdk';
import { ERROR_META_KEY } from '../errors/envelope.ts';
import { DIGEST_FIELD } from '../forms/question-form.ts';
import { isRecord } from '../json-type.ts';

/**
 * What a call came to that waits for answers. Its state is all that another call needs to go on with it, by
 * whatever connection: what is asked, and what it is about, is on record under it.
 */
export interface InputRequired {
  readonly state: string;
  readonly requests: Readonly<Record<string, Omit<AskedQuestion, 'status' | 'askedAt'>>>;
}

/** What a client brings that makes such a call again. */
export interface BroughtInputs {
  readonly state: string;
  /** By the keys of `requests`: what came of the forms that `questionSchema` makes of them. */
  readonly answers: Readonly<Record<string, ElicitationAnswer>>;
}

/** What is asked for by a result; undefined where it is a call's end. */
export function inputRequiredOf({ _meta }: ToolCallResult): InputRequired | undefined {
  const error = _meta?.[ERROR_META_KEY];
  if (!isRecord(error) || error.code !== 'NEXUS_INPUT_REQUIRED' || !isRecord(error.detail)) return undefined;
  const { state, requests } = error.detail;
  return { state, requests } as InputRequired; // as `inputRequired` makes it, which alone has the code
}

/** As a tool gets them: what was said, and about what. A dialogue that was closed says nothing. */
export function toCallInputs({ state, answers }: BroughtInputs): CallInputs {
  const said = Object.entries(answers).flatMap(([key, { action, content }]) => {
    if (action === 'cancel') return [];
    const { [DIGEST_FIELD]: digest, ...own } = content ?? {};
    const answer: Answer = action === 'accept' ? { action, content: own } : { action };
    return [{ key, answer, ...(typeof digest === 'string' ? { digest } : {}) }];
  });
  return { state, answers: said };
}
