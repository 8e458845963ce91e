import { isRecord, type PassedRequest } from '@nexus/core';
import type { Members } from '@nexus/core/json-rpc';
import type { Log } from '@nexus/plugin-sdk';
import { passedMeta } from '../calls/call-meta.ts';
import type { Lease } from '../leases/lease.ts';
import type { Session } from '../sessions/session.ts';
import { offers, sessionLeases } from '../sessions/session-leases.ts';
import { passRequest } from './pass-request.ts';
import { sessionPrompts } from './prompts.ts';
import { routesOf, templateOf } from './resources.ts';

const NOTHING: Members = { completion: { values: [], total: 0, hasMore: false } };

/** Completes an argument of a prompt or a template, at the server whose it is. */
export async function complete(
  session: Session,
  params: Members,
  { request, log }: { readonly request: PassedRequest; readonly log: Log },
): Promise<Members | undefined> {
  const target = isRecord(params.ref) ? await targetOf(session, params.ref, log) : undefined;
  if (!target) return undefined;
  if (!offers(target.at, 'completions')) return NOTHING;
  const passed = { ...params, ref: target.ref, _meta: passedMeta(request.meta ?? {}) };
  return passRequest(target.at, { method: 'completion/complete', params: passed, request });
}

async function targetOf(
  session: Session,
  ref: Members,
  log: Log,
): Promise<{ readonly at: Lease; readonly ref: Members } | undefined> {
  if (ref.type === 'ref/prompt' && typeof ref.name === 'string') {
    const prompt = (await sessionPrompts(session, { isFresh: false, log })).get(ref.name);
    return prompt && { at: prompt.at, ref: { ...ref, name: prompt.originalName } };
  }
  if (ref.type !== 'ref/resource' || typeof ref.uri !== 'string') return undefined;
  for (const at of sessionLeases(session)) {
    const templates = await at.list('resourceTemplates').catch(() => []);
    const asked = templates.find((each) => templateOf(at, each) === ref.uri);
    if (asked) return { at, ref: { ...ref, uri: asked.uriTemplate } };
  }
  const [route, ...others] = await routesOf(session, ref.uri);
  return route && others.length === 0 ? { at: route.at, ref: { ...ref, uri: route.uri } } : undefined;
}
