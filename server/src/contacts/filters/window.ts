/** The time of an event: a duration before now, or days in the business's time zone. */
export interface Window {
  within?: string
  /** Inclusive. */
  since?: string
  /** Exclusive. */
  until?: string
}
