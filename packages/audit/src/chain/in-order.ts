type Members = Readonly<Record<string, unknown>>;

/** What JSON itself would write otherwise than RFC 8785 says, and what JSON has no text for. */
const UNFIT = Symbol('unfit');
/** Such keys stand before all others in an object, whatever their order is to be; and the one that is no member. */
const UNFIT_KEY = /^(?:\d+|__proto__)$/;

/**
 * The same value with the members of each object in the order of RFC 8785, so that `JSON.stringify` writes its
 * canonical text: what is in order is not copied. Undefined for a value that `JSON.stringify` can't write so.
 */
export function inOrder(value: unknown): unknown {
  const ordered = order(value);
  return ordered === UNFIT ? undefined : ordered;
}

function order(value: unknown): unknown {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : UNFIT;
  if (typeof value !== 'object') return UNFIT;
  if (Array.isArray(value)) return orderItems(value);
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null ? orderMembers(value as Members) : UNFIT;
}

function orderItems(items: readonly unknown[]): unknown {
  let copy: unknown[] | undefined;
  for (let at = 0; at < items.length; at += 1) {
    const item = order(items[at]);
    if (item === UNFIT) return UNFIT;
    if (item === items[at]) continue;
    copy ??= items.slice();
    copy[at] = item;
  }
  return copy ?? items;
}

function orderMembers(members: Members): unknown {
  let last = '';
  for (const key in members) {
    if (key < last || key === '__proto__') return copyInOrder(members);
    last = key;
  }
  let copy: Record<string, unknown> | undefined;
  for (const key in members) {
    const member = order(members[key]);
    if (member === UNFIT) return UNFIT;
    if (member === members[key]) continue;
    copy ??= { ...members };
    copy[key] = member;
  }
  return copy ?? members;
}

/** The orders found last: rows of a list have the same keys. */
let sorted: { readonly from: readonly string[]; readonly to: readonly string[] } = { from: [], to: [] };

function copyInOrder(members: Members): unknown {
  const keys = Object.keys(members);
  if (keys.length !== sorted.from.length || keys.some((key, at) => key !== sorted.from[at])) {
    sorted = { from: keys, to: keys.toSorted() };
  }
  const { to } = sorted;
  if (to.some((key) => UNFIT_KEY.test(key))) return UNFIT;
  const copy: Record<string, unknown> = {};
  for (const key of to) {
    const member = order(members[key]);
    if (member === UNFIT) return UNFIT;
    copy[key] = member;
  }
  return copy;
}
