import type { Vendor } from './vendor.ts';

const feed = (at: string) => ({ kind: 'feed', at }) as const;
const changelog = (at: string) => ({ kind: 'changelog', at }) as const;
const sitemap = (at: string) => ({ kind: 'sitemap', at }) as const;
const releases = (repo: string) => feed(`https://github.com/${repo}/releases.atom`);

/** Vendors that many projects rely on, and where they say what they changed. */
export const seed: Readonly<Record<string, Vendor>> = {
  cloudflare: { title: 'Cloudflare', publishes: [feed('https://blog.cloudflare.com/rss/')] },
  debian: { title: 'Debian', publishes: [feed('https://www.debian.org/security/dsa')] },
  docker: { title: 'Docker', publishes: [feed('https://www.docker.com/blog/feed/'), releases('moby/moby')] },
  github: {
    title: 'GitHub',
    publishes: [feed('https://github.blog/feed/'), feed('https://github.blog/changelog/feed/')],
  },
  go: {
    title: 'Go',
    publishes: [feed('https://go.dev/blog/feed.atom'), sitemap('https://go.dev/sitemap.xml')],
  },
  kubernetes: {
    title: 'Kubernetes',
    publishes: [feed('https://kubernetes.io/feed.xml'), releases('kubernetes/kubernetes')],
  },
  nodejs: {
    title: 'Node.js',
    publishes: [
      feed('https://nodejs.org/en/feed/blog.xml'),
      feed('https://nodejs.org/en/feed/vulnerability.xml'),
      releases('nodejs/node'),
    ],
  },
  postgresql: {
    title: 'PostgreSQL',
    publishes: [
      feed('https://www.postgresql.org/news.rss'),
      feed('https://www.postgresql.org/versions.rss'),
      sitemap('https://www.postgresql.org/sitemap.xml'),
    ],
  },
  python: { title: 'Python', publishes: [releases('python/cpython')] },
  rust: {
    title: 'Rust',
    publishes: [
      feed('https://blog.rust-lang.org/feed.xml'),
      changelog('https://raw.githubusercontent.com/rust-lang/rust/master/RELEASES.md'),
    ],
  },
  typescript: {
    title: 'TypeScript',
    publishes: [feed('https://devblogs.microsoft.com/typescript/feed/'), releases('microsoft/TypeScript')],
  },
};
