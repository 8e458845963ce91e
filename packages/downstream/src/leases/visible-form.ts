import { isRecord } from '@nexus/core';
import type { Members } from '@nexus/core/json-rpc';
import { visibleLine } from '@nexus/untrusted/shown';

/**
 * A form as its person gets to see it: titles, descriptions and labels are one line each, what is odd in them an
 * escape. Names and values are what is answered with, so they stay, and get such a label where they are odd.
 */
export function visibleForm(schema: Members): Members {
  const { properties } = schema;
  const shown = labelled(schema);
  if (!isRecord(properties)) return shown;
  return {
    ...shown,
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, field]) => [
        name,
        isRecord(field) ? ofField(name, field) : field,
      ]),
    ),
  };
}

function ofField(name: string, field: Members): Members {
  const titled =
    typeof field.title === 'string' || visibleLine(name) === name ? field : { ...field, title: name };
  const { items } = titled;
  return { ...withChoices(labelled(titled)), ...(isRecord(items) ? { items: withChoices(items) } : {}) };
}

/** Both ways to name a choice: `enum` with `enumNames` beside it, and `const` with its own title. */
function withChoices(field: Members): Members {
  const { enum: values, enumNames, oneOf, anyOf } = field;
  const names = Array.isArray(enumNames) ? enumNames : Array.isArray(values) ? values : [];
  const shown = names.map((name: unknown) => (typeof name === 'string' ? visibleLine(name) : name));
  const isNamed = names === enumNames || shown.some((name, index) => name !== names[index]);
  return {
    ...field,
    ...(isNamed ? { enumNames: shown } : {}),
    ...(Array.isArray(oneOf) ? { oneOf: oneOf.map(ofConst) } : {}),
    ...(Array.isArray(anyOf) ? { anyOf: anyOf.map(ofConst) } : {}),
  };
}

function ofConst(choice: unknown): unknown {
  if (!isRecord(choice)) return choice;
  const { const: value, title } = choice;
  const isBare = title === undefined && typeof value === 'string' && visibleLine(value) !== value;
  return labelled(isBare ? { ...choice, title: value } : choice);
}

function labelled(part: Members): Members {
  const { title, description } = part;
  return {
    ...part,
    ...(typeof title === 'string' ? { title: visibleLine(title) } : {}),
    ...(typeof description === 'string' ? { description: visibleLine(description) } : {}),
  };
}
