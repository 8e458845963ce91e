export { environmentSecrets, urlSecrets } from './environment-secrets.ts';
export { findSecret } from './find-secrets.ts';
export { isEqualSecret } from './is-equal-secret.ts';
export { redactJson } from './redact-json.ts';
export { redactSettings } from './redact-settings.ts';
export { holdSecrets, redactorFor, redactText } from './redact-text.ts';
export { redactValue } from './redact-value.ts';
export { isSecretArgument, isSecretName } from './secret-names.ts';
export { maskText, replaceSecrets, splitScheme } from './written-secrets.ts';
