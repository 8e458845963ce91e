import { ProtocolError } from '@nexus/core';
import { redactJson } from '@nexus/untrusted/secrets';
import type { Mask } from './mask-secrets.ts';

type Members = Readonly<Record<string, unknown>>;

/** A server's answer, in which an error does not tell what the server was given in confidence. */
export async function maskedAnswer(answer: Promise<Members>, mask: Mask): Promise<Members> {
  try {
    const result = await answer;
    return result.isError === true ? redactJson(result, mask) : result;
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    throw new ProtocolError(error.code, mask(error.message), redactJson(error.data, mask), error);
  }
}
