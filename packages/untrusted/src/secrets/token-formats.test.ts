import { expect, it } from 'vitest';
import { findSecret } from './find-secrets.ts';
import { tokenFormats } from './token-formats.ts';

const ALNUM = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const HEX = '0123456789abcdef';
const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const BECH32 = 'QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L';

/** Text that looks random and is always the same, so that no real-looking token stands in the source. */
function body(length: number, alphabet = ALNUM): string {
  let state = length * 2_654_435_761;
  return Array.from({ length }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return alphabet[(state >>> 8) % alphabet.length];
  }).join('');
}
const hex = (length: number) => body(length, HEX);
const letters = (length: number) => body(length, ALNUM.slice(0, 52));

const examples = {
  'a private key': `-----BEGIN OPENSSH PRIVATE ${'KEY'}-----`,
  'a PuTTY private key': 'PuTTY-User-Key-File-3: ssh-ed25519',
  'an age secret key': `AGE-SECRET-KEY-1${body(58, BECH32)}`,
  'a JSON Web Token': `eyJ${body(20)}.eyJ${body(40)}.${body(43)}`,
  'an AWS access key': `AKIA${body(16, UPPER)}`,
  'a GitHub token': `ghp_${body(36)}`,
  'a GitHub fine-grained token': `github_pat_${body(22)}_${body(59)}`,
  'a GitLab token': `glpat-${body(20)}`,
  'a Bitbucket or Atlassian token': `ATATT3xFfGF0${body(60)}`,
  'an Anthropic API key': `sk-ant-api03-${body(95)}`,
  'an OpenAI API key': `sk-proj-${body(40)}T3BlbkFJ${body(40)}`,
  'an OpenRouter API key': `sk-or-v1-${hex(64)}`,
  'a Groq API key': `gsk_${body(52)}`,
  'an xAI API key': `xai-${body(80)}`,
  'a Perplexity API key': `pplx-${body(48)}`,
  'a Replicate API token': `r8_${body(37)}`,
  'a Hugging Face token': `hf_${letters(34)}`,
  'a Google API key': `AIza${body(35)}`,
  'a Google OAuth secret': `GOCSPX-${body(28)}`,
  'a Google OAuth token': `ya29.${body(60)}`,
  'a Slack token': `xoxb-${body(12, '0123456789')}-${body(24)}`,
  'a Slack app token': `xapp-1-${body(11, UPPER)}-${body(13, '0123456789')}-${hex(64)}`,
  'a Slack webhook': `https://hooks.slack.com/services/T${body(8, UPPER)}/B${body(8, UPPER)}/${body(24)}`,
  'a Discord webhook': `https://discord.com/api/webhooks/${body(18, '0123456789')}/${body(68)}`,
  'a Discord bot token': `M${body(23)}.${body(6)}.${body(38)}`,
  'a Telegram bot token': `${body(10, '123456789')}:AA${body(33)}`,
  'a Stripe key': `sk_live_${body(24)}`,
  'a Stripe webhook secret': `whsec_${body(32)}`,
  'a Square token': `EAAA${body(60)}`,
  'a Shopify token': `shpat_${hex(32)}`,
  'a Twilio key': `SK${hex(32)}`,
  'a SendGrid key': `SG.${body(22)}.${body(43)}`,
  'a Mailgun key': `key-${hex(32)}`,
  'a Mailchimp key': `${hex(32)}-us12`,
  'an npm token': `npm_${body(36)}`,
  'a PyPI token': `pypi-AgEIcHlwaS5vcmc${body(80)}`,
  'a RubyGems key': `rubygems_${hex(48)}`,
  'a crates.io token': `cio${body(32)}`,
  'a Docker Hub token': `dckr_pat_${body(27)}`,
  'a DigitalOcean token': `dop_v1_${hex(64)}`,
  'a HashiCorp Vault token': `hvs.${body(90)}`,
  'a Terraform Cloud token': `${body(14)}.atlasv1.${body(67)}`,
  'a Pulumi token': `pul-${hex(40)}`,
  'a Databricks token': `dapi${hex(32)}`,
  'a Supabase token': `sbp_${hex(40)}`,
  'a PlanetScale token': `pscale_tkn_${body(43)}`,
  'a Grafana token': `glsa_${body(32)}_${hex(8)}`,
  'a New Relic key': `NRAK-${body(27, UPPER)}`,
  'a Sentry token': `sntrys_${body(60)}`,
  'a Linear key': `lin_api_${body(40)}`,
  'a Notion token': `ntn_${body(46)}`,
  'a Figma token': `figd_${body(43)}`,
  'a Postman key': `PMAK-${hex(24)}-${hex(34)}`,
  'a 1Password token': `ops_eyJ${body(120)}`,
  'a Doppler token': `dp.st.prd.${body(43)}`,
  'a Fly.io token': `fo1_${body(43)}`,
  'an Airtable token': `pat${body(14)}.${hex(64)}`,
} satisfies Record<(typeof tokenFormats)[number]['kind'], string>;

it.each(tokenFormats.map(({ kind }) => [kind, examples[kind]] as const))('knows %s', (kind, token) => {
  expect(findSecret(token)).toBe(kind);
  expect(findSecret(`we use ${token}, since May`)).toBe(kind);
});

it('takes no token from the middle of a longer word', () => {
  for (const kind of ['a GitHub token', 'an AWS access key', 'a Google API key', 'an npm token'] as const) {
    expect(findSecret(`x${examples[kind]}`), kind).toBeUndefined();
  }
});
