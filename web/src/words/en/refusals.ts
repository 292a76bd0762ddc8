/** What the service says when it refuses a call. In English its own sentences are shown as they are. */
export const refusals = {
  /** By the `reason` of a refusal, with its data, such as the limit that was exceeded. */
  reasons: {} as Record<string, (data: Record<string, unknown>) => string>,
  /** For refusals of a filter, whose sentences name its keys. */
  filter: 'A condition of the filter is not complete or not right. Look through them.',
  /** By the code, for refusals whose code says enough. */
  codes: {} as Record<string, string>,
}
