import { isPage, saidBy } from '@nexus/client';
import { isRecord, JSON_RPC, ProtocolError } from '@nexus/core';
import type { Members } from '@nexus/core/json-rpc';
import { visibleLine } from '@nexus/untrusted/shown';
import type { ServerAddress } from '../server-address.ts';
import { visibleForm } from './visible-form.ts';
import { visibleSampling } from './visible-sampling.ts';

const ASKED = 'elicitation/create';
const SAMPLED = 'sampling/createMessage';

/**
 * A server's request as its client gets it: a question to a person begins with who asks, each further line of it
 * indented, so that none is taken for Nexus's own, and so does what a model is to be told. What is odd in either, in
 * the labels of a form too, is an escape; all else is as it is.
 * @throws {ProtocolError} a URL to be opened is none of a page
 */
export function saysWhoAsks({ toolbox, server }: ServerAddress, method: string, params: Members): Members {
  const who = visibleLine(`${toolbox}/${server}`);
  if (method === SAMPLED) return visibleSampling(params, who);
  if (method !== ASKED) return params;
  if (params.url !== undefined && !isPage(params.url)) {
    throw new ProtocolError(
      JSON_RPC.invalidParams,
      `${method} was refused: its url is none of http or https`,
    );
  }
  const { message = '', requestedSchema } = params;
  const text = typeof message === 'string' ? message : JSON.stringify(message);
  return {
    ...params,
    message: saidBy(`${toolbox}/${server}`, text, ' asks'),
    ...(isRecord(requestedSchema) ? { requestedSchema: visibleForm(requestedSchema) } : {}),
  };
}
