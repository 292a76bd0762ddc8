/** When something happened: a duration before now, or days of the business's calendar. */
export interface Window {
  within?: string
  /** Inclusive. */
  since?: string
  /** Exclusive. */
  until?: string
}
