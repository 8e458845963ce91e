import { isRecord, JSON_RPC, type JsonRpcMessage } from '@nexus/core';
import type { Members } from '@nexus/core/json-rpc';
import { attributionTo, soundsLikeACut } from '@nexus/primitives';
import { visibleLine, visibleText } from '@nexus/untrusted/shown';
import { isPage } from '../page-address.ts';

/**
 * How lines begin in which Nexus itself says something, or names an error of its own: behind whatever is no letter and
 * no digit. What stands before it ends with its line, so that a text is read once.
 */
const LIKE_A_NOTE =
  /^[^\w\r\n\u2028\u2029]*(?:\[[^\S\r\n]*nexus\b|nexus[^\S\r\n]*:(?!\/\/)|nexus_[a-z_]+[^\S\r\n]*:)/im;
const LIKE_A_CODE = /^[^\w\r\n\u2028\u2029]*NEXUS_[A-Z]/m;
/** In an error, which is short and believed, any word of Nexus is one too many. */
const OF_NEXUS = /nexus|correlationid/i;
/** MCP 2025-11-25, elicitation by URL: a request has to wait for pages that its error names. */
const PAGES_FIRST = -32042;

/**
 * A message of a server that is another's, so that nothing in it can be taken for Nexus's own word: what it logs, and
 * how far it says it is, begin with whose it is; an error or a result that sounds like Nexus says first whose it is.
 * All that it said stays in it.
 * @param who the server, as its users know it
 */
export function namedAsTheirs(message: JsonRpcMessage, who: string): JsonRpcMessage {
  const { method, params, result, error } = message;
  if (error !== undefined) return { ...message, error: errorOf(error, who) };
  if (result !== undefined) {
    const named = resultOf(result, who);
    return named === result ? message : { ...message, result: named };
  }
  if (params === undefined) return message;
  if (method === 'notifications/message') return { ...message, params: logOf(params, who) };
  if (method !== 'notifications/progress' || typeof params.message !== 'string') return message;
  return { ...message, params: { ...params, message: saidBy(who, params.message) } };
}

/** What a server says to a person, in lines of which none looks like another's. */
export function saidBy(who: string, text: string, verb = ''): string {
  return `${visibleLine(who)}${verb}: ${indented(text)}`;
}

function indented(text: string): string {
  return visibleText(text).replaceAll('\n', '\n  ');
}

function logOf(params: Members, who: string): Members {
  const { logger, data } = params;
  const name = visibleLine(who);
  return {
    ...params,
    logger: typeof logger === 'string' && logger !== '' ? `${name}: ${visibleLine(logger)}` : name,
    ...(typeof data === 'string' && OF_NEXUS.test(data) ? { data: saidBy(who, data) } : {}),
  };
}

type RpcError = NonNullable<JsonRpcMessage['error']>;

/** An internal error is named always: Nexus's own has the same words. */
function errorOf(error: RpcError, who: string): RpcError {
  const { code, message, data } = error;
  if (code === PAGES_FIRST && isRecord(data) && Array.isArray(data.elicitations)) {
    return { code, message: saidBy(who, message, ' answered'), data: pagesOf(data, data.elicitations, who) };
  }
  const isLike = code === JSON_RPC.internalError || OF_NEXUS.test(message) || mentions(data);
  if (!isLike) return error;
  return {
    code,
    message: saidBy(who, message, ' answered'),
    ...(data === undefined ? {} : { data: apart(data, who) }),
  };
}

function mentions(data: unknown): boolean {
  return data !== undefined && OF_NEXUS.test(JSON.stringify(data));
}

/** What a server put where Nexus's own data stands, where it is nobody else's. */
function apart(data: unknown, who: string): Members {
  return { server: who, data };
}

function pagesOf(data: Members, elicitations: readonly unknown[], who: string): Members {
  const { elicitations: _, ...rest } = data;
  const isAPage = (each: unknown) => isRecord(each) && isPage(each.url);
  const refused = elicitations.filter((each) => !isAPage(each));
  return {
    elicitations: elicitations
      .filter(isRecord)
      .filter(isAPage)
      .map((each) => {
        const { message = '' } = each;
        const text = typeof message === 'string' ? message : JSON.stringify(message);
        return { ...each, message: saidBy(who, text, ' asks') };
      }),
    ...(Object.keys(rest).length === 0 ? {} : apart(rest, who)),
    ...(refused.length === 0 ? {} : { refused, why: 'the url of each is none of http or https' }),
  };
}

/** A line of Nexus's own stands before what sounds like it, in each kind of result that a model or a person reads. */
function resultOf(result: Members, who: string): Members {
  const { content, messages, contents, isError } = result;
  const isLike = isError === true ? saysNexus : looksLikeNexus;
  const note = attributionTo(who);
  const block = { type: 'text', text: note };
  if (Array.isArray(content) && content.some(isLike)) return { ...result, content: [block, ...content] };
  if (Array.isArray(messages) && messages.some(isMessageLikeNexus))
    return { ...result, messages: [{ role: 'user', content: block }, ...messages] };
  if (Array.isArray(contents) && contents.some(looksLikeNexus)) {
    const { uri } = Object(contents.find(looksLikeNexus)) as Members;
    return { ...result, contents: [{ uri, mimeType: 'text/plain', text: note }, ...contents] };
  }
  return result;
}

function isMessageLikeNexus(message: unknown): boolean {
  const { content } = Object(message) as Members;
  return Array.isArray(content) ? content.some(looksLikeNexus) : looksLikeNexus(content);
}

function looksLikeNexus(block: unknown): boolean {
  return textsOf(block).some(
    (text) => LIKE_A_NOTE.test(text) || LIKE_A_CODE.test(text) || soundsLikeACut(text),
  );
}

function saysNexus(block: unknown): boolean {
  return looksLikeNexus(block) || textsOf(block).some((text) => OF_NEXUS.test(text));
}

/** Of a block, or of the resource in it, and where that is. A server's block may be anything. */
function textsOf(block: unknown): readonly string[] {
  const { text, uri, resource } = Object(block) as Members;
  const { text: inner, uri: innerUri } = Object(resource) as Members;
  return [text, uri, inner, innerUri].filter((each) => typeof each === 'string');
}
