/** Changes that subscribed clients must hear about. */
export interface Events {
  /** The resource at `uri` reads differently now. */
  resourceUpdated(uri: string): void;
}
