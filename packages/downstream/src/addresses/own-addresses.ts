import { isRecord } from '@nexus/core';
import type { Members } from '@nexus/core/json-rpc';
import type { ServerAddress } from '../server-address.ts';
import { isAnothers, wrapUri } from './wrapped-uri.ts';

/**
 * A result of a tool or a prompt in which no link and no embedded resource has an address that is Nexus's own or another
 * server's: it is named by its server there, as in lists of resources. The very object, where none has.
 */
export function withOwnAddresses(result: Members, address: ServerAddress): Members {
  const content = eachOf(result.content, (block) => blockOf(block, address));
  const messages = eachOf(result.messages, (message) => {
    if (!isRecord(message)) return message;
    const said = blockOf(message.content, address);
    return said === message.content ? message : { ...message, content: said };
  });
  if (content === result.content && messages === result.messages) return result;
  return {
    ...result,
    ...(content === undefined ? {} : { content }),
    ...(messages === undefined ? {} : { messages }),
  };
}

function eachOf(items: unknown, change: (item: unknown) => unknown): unknown {
  if (!Array.isArray(items)) return items;
  const changed = items.map(change);
  return changed.some((each, at) => each !== items[at]) ? changed : items;
}

function blockOf(block: unknown, address: ServerAddress): unknown {
  if (!isRecord(block)) return block;
  if (block.type === 'resource_link') return addressed(block, address);
  if (block.type !== 'resource' || !isRecord(block.resource)) return block;
  const resource = addressed(block.resource, address);
  return resource === block.resource ? block : { ...block, resource };
}

function addressed(of: Members, address: ServerAddress): Members {
  const { uri } = of;
  return typeof uri === 'string' && isAnothers(uri) ? { ...of, uri: wrapUri(address, uri) } : of;
}
