/**
 * What each field of the reference means, in full sentences. The tool list has to stay short for
 * assistants, so the descriptions in the operations are brief; the reference, OpenAPI, the SDK and
 * the command line show these texts in their place.
 */

/**
 * Meanings by key. From the most to the least specific, a key is:
 *
 * - of a field of an operation itself `campaign.resend.all`, or `campaign.all` for all operations
 *   on campaigns;
 * - of a field within another one `consent.email.status`, or `email.status` for every field named
 *   `email`; a list counts in the singular, so `counter.used` is a field in `counters`;
 * - the name of a field alone.
 */
export type Meanings = Readonly<Record<string, string>>
