/** What cases are made of: small packages without dependencies under the MIT licence, as npm serves them. */
export const packages = {
  ms: {
    version: '2.1.3',
    file: 'index.js',
    integrity:
      'sha512-6FlzubTLZG3J2a/NVCAleEhjzq5oxgHyaCU9yYXvcLsvoVaHJq/s5xXI6/XXP6tz7R9xAOtHnSO/tXtF3WRTlA==',
  },
  bytes: {
    version: '3.1.2',
    file: 'index.js',
    integrity:
      'sha512-/Nf7TyzTx6S3yRJObOAV7956r8cr2+Oj8AC5dt8wSP3BQAoeX58NoHyCU8P8zGkNXStjTSi6fzO6F0pBdcYbEg==',
  },
  'range-parser': {
    version: '1.2.1',
    file: 'index.js',
    integrity:
      'sha512-Hrgsx+orqoygnmhFbKaHE6c296J+HTAQXoxEF6gNupROmmGJRoyzfG3ccAveqCBrwr/2yxQ5BVd/GTl5agOwSg==',
  },
  fresh: {
    version: '0.5.2',
    file: 'index.js',
    integrity:
      'sha512-zJ2mQYM18rEFOudeV4GShTGIQ7RbzA7ozbU9I/XBpm7kqgMywgmylMwXHxZJmkVoYkna9d2pVXVXPdYTP9ej8Q==',
  },
  'yocto-queue': {
    version: '0.1.0',
    file: 'index.js',
    integrity:
      'sha512-rVksvsnNCdJ/ohGc6xgPwyN8eheCxsiLM8mxuE/t/mOVqJewPuO1miLpTHQiRgTKCLexL4MeAFVagts7HmNZ2Q==',
  },
  camelcase: {
    version: '6.3.0',
    file: 'index.js',
    integrity:
      'sha512-Gmy6FhYlCY7uOElZUSbxo2UCDH8owEk996gkbrpsgGtrJLM3J7jGxl9Ic7Qwwj4ivOE5AWZWRMecDdF7hqGjFA==',
  },
  cookie: {
    version: '0.7.2',
    file: 'index.js',
    integrity:
      'sha512-yki5XnKuf750l50uGTllt6kKILY4nQ1eNIQatoXEByZ5dWgnKqbnqmTrBE5B4N7lrMJKQ2ytWMiTO2o0v6Ew/w==',
  },
  minimist: {
    version: '1.2.8',
    file: 'index.js',
    integrity:
      'sha512-2yyAR8qBkN3YuheJanUpWC5U3bb5osDywNB8RzDVlDwDHbocAJveqqj1u8+SVD7jkWT4yvsHCpWqqWqAxb0zCA==',
  },
  'content-type': {
    version: '1.0.5',
    file: 'index.js',
    integrity:
      'sha512-nTjqfcBFEipKdXCv4YDQWCfmcLZKm81ldF0pAopTvyrFGVbcR6P/VAAd5G7N+0tTr8QqiU0tFadD6FK4NtJwOA==',
  },
} as const satisfies Record<string, PackageData>;

interface PackageData {
  readonly version: string;
  /** Where its code is. */
  readonly file: string;
  /** Of the tarball, as the registry's lock files have it. */
  readonly integrity: string;
}

export type PackageName = keyof typeof packages;
