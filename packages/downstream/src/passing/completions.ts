import { isRecord, type PassedRequest } from '@nexus/core';
import type { Members } from '@nexus/core/json-rpc';
import { passedMeta } from '../calls/call-meta.ts';
import type { Lease } from '../leases/lease.ts';
import type { Session } from '../sessions/session.ts';
import type { Workplace } from '../workplace.ts';
import { passRequest } from './pass-request.ts';
import { sessionPrompts } from './prompts.ts';
import { routesOf } from './resources.ts';
import { offers, sessionLeases } from './session-leases.ts';

const NOTHING: Members = { completion: { values: [], total: 0, hasMore: false } };

/** Completes an argument of a prompt or a template, at the server whose it is. */
export async function complete(
  place: Workplace,
  session: Session,
  { params, request }: { params: Members; request: PassedRequest },
): Promise<Members | undefined> {
  const target = isRecord(params.ref) ? await targetOf(place, session, params.ref) : undefined;
  if (!target) return undefined;
  if (!offers(target.at, 'completions')) return NOTHING;
  const passed = { ...params, ref: target.ref, _meta: passedMeta(request.meta ?? {}) };
  return passRequest(target.at, { method: 'completion/complete', params: passed, request });
}

async function targetOf(
  place: Workplace,
  session: Session,
  ref: Members,
): Promise<{ readonly at: Lease; readonly ref: Members } | undefined> {
  if (ref.type === 'ref/prompt' && typeof ref.name === 'string') {
    const prompt = (await sessionPrompts(place, session, { isFresh: false })).get(ref.name);
    return prompt && { at: prompt.at, ref: { ...ref, name: prompt.originalName } };
  }
  if (ref.type !== 'ref/resource' || typeof ref.uri !== 'string') return undefined;
  for (const at of sessionLeases(session)) {
    const templates = await at.list('resourceTemplates').catch(() => []);
    if (templates.some(({ uriTemplate }) => uriTemplate === ref.uri)) return { at, ref };
  }
  const [route, ...others] = await routesOf(session, ref.uri);
  return route && others.length === 0 ? { at: route.at, ref: { ...ref, uri: route.uri } } : undefined;
}
