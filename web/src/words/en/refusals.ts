/** What the service says when it refuses a call. In English its own sentences are shown as they are. */
export const refusals = {
  /** By the `reason` of a refusal, with its data, such as the limit that was exceeded. */
  reasons: {} as Record<string, (data: Record<string, unknown>) => string>,
  /** By the code, for refusals whose code says enough. */
  codes: {} as Record<string, string>,
}
