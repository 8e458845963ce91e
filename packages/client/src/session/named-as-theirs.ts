import { isRecord, JSON_RPC, type JsonRpcMessage } from '@nexus/core';
import type { Members } from '@nexus/core/json-rpc';
import { AnyText, attributionTo, mentionsNexus, soundsLikeNexus } from '@nexus/primitives';
import { visibleLine, visibleText } from '@nexus/untrusted/shown';
import { isPage } from '../page-address.ts';

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
    ...(typeof data === 'string' && speaks(data) ? { data: saidBy(who, data) } : {}),
  };
}

type RpcError = NonNullable<JsonRpcMessage['error']>;

/** An internal error is named always: Nexus's own has the same words. */
function errorOf(error: RpcError, who: string): RpcError {
  const { code, message, data } = error;
  if (code === PAGES_FIRST && isRecord(data) && Array.isArray(data.elicitations)) {
    return { code, message: saidBy(who, message, ' answered'), data: pagesOf(data, data.elicitations, who) };
  }
  if (code !== JSON_RPC.internalError && !speaks({ message, data })) return error;
  return {
    code,
    message: saidBy(who, message, ' answered'),
    ...(data === undefined ? {} : { data: apart(data, who) }),
  };
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

/**
 * A line of Nexus's own stands before what sounds like it, in each kind of result that a model or a person reads. It is
 * asked of all that the result has, so that the answer holds for each part of it that is shown, however it is read.
 */
function resultOf(result: Members, who: string): Members {
  const { content, messages, contents, structuredContent, isError, completion } = result;
  if (isRecord(completion)) return completedBy(completion, result);
  const isRead = [content, messages, contents].some(Array.isArray) || structuredContent !== undefined;
  if (!isRead || !(isError === true ? speaks(result) : sounds(result))) return result;
  const text = attributionTo(who);
  const block = { type: 'text', text };
  if (Array.isArray(messages)) {
    const { description } = result;
    const described = typeof description === 'string' ? { description: `${text}\n${description}` } : {};
    return { ...result, ...described, messages: [{ role: 'user', content: block }, ...messages] };
  }
  if (Array.isArray(contents)) {
    const again = new AnyText(soundsLikeNexus);
    const { uri } = Object(contents.find((each) => again.isIn(each)) ?? contents[0]) as Members;
    return { ...result, contents: [{ uri, mimeType: 'text/plain', text }, ...contents] };
  }
  return { ...result, content: [block, ...(Array.isArray(content) ? content : [])] };
}

/**
 * A value is what a client writes into an argument, and what says whose it is would be written with it. So one that
 * sounds like Nexus is left out, and that there are more is said; whoever means it can write it.
 */
function completedBy(completion: Members, result: Members): Members {
  const { values } = completion;
  if (!Array.isArray(values)) return result;
  const any = new AnyText(soundsLikeNexus);
  const theirs = values.filter((each) => !any.isIn(each));
  return theirs.length === values.length
    ? result
    : { ...result, completion: { ...completion, values: theirs, hasMore: true } };
}

function sounds(value: unknown): boolean {
  return new AnyText(soundsLikeNexus).isIn(value);
}

/** In an error, which is short and believed, any word of Nexus is one too many. */
function speaks(value: unknown): boolean {
  return new AnyText(mentionsNexus).isIn(value);
}
