/** What the checks before a start found. In English their own sentences are shown as they are. */
export const gates = {
  /** By the reason of a finding, with its values. */
  findings: {} as Record<string, (values: Record<string, unknown>) => string>,
}
