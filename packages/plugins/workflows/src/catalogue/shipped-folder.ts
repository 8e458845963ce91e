/** Where the files lie that come with Nexus; in the bundle, beside it. */
export const shippedFolder = new URL('../../templates/', import.meta.url);
