/**
 * Every table with the rows of a business, and what becomes of them. A new table needs its line here.
 */
export interface TableOfBusiness {
  /**
   * What the deletion of a closed business does with it. `answers`: deleted with the business's last
   * addresses; `as_asked`: hashes, which stay where the owner asked for it.
   */
  closing: 'deleted' | 'answers' | 'as_asked'
  /** Whether it moves to another installation; `moves/rows.ts` has the reasons. */
  moving: 'moves' | 'stays'
}

const deleted = { closing: 'deleted', moving: 'moves' } as const
const stays = { closing: 'deleted', moving: 'stays' } as const
const answers = { closing: 'answers', moving: 'moves' } as const
const asAsked = { closing: 'as_asked', moving: 'moves' } as const

export const tablesOfBusiness: Readonly<Record<string, TableOfBusiness>> = {
  api_keys: stays,
  audit_entries: deleted,
  bounce_reviews: deleted,
  campaign_counts: deleted,
  campaign_link_people: deleted,
  campaign_links: deleted,
  campaign_provider_counts: deleted,
  campaign_provider_words: deleted,
  campaign_recipients: deleted,
  campaign_runs: deleted,
  campaign_series: deleted,
  campaign_tests: deleted,
  campaign_variants: deleted,
  campaigns: deleted,
  confirmations: deleted,
  connection_consents: stays,
  consent_events: deleted,
  contact_activity: deleted,
  contact_attention: deleted,
  contact_fields: deleted,
  contact_search: deleted,
  contact_tags: deleted,
  contacts: deleted,
  dead_letters: deleted,
  delivery_reports: deleted,
  domain_keys: answers,
  domains: answers,
  event_feed: deleted,
  event_heads: deleted,
  events: deleted,
  factor_resets: stays,
  former_contacts: deleted,
  forms: deleted,
  held_removals: stays,
  idempotency_keys: stays,
  images: deleted,
  import_changes: deleted,
  import_errors: deleted,
  import_suppressions: deleted,
  imports: deleted,
  invitations: stays,
  key_recipients: stays,
  last_saves: stays,
  link_visits: deleted,
  mandate_orders: stays,
  mandates: stays,
  memberships: stays,
  message_contents: deleted,
  message_events: deleted,
  message_holds: deleted,
  messages: deleted,
  own_events: deleted,
  ownership_offers: stays,
  provider_holds: deleted,
  recent_messages: stays,
  replies: deleted,
  retention_runs: stays,
  segments: deleted,
  sending_stops: stays,
  sequence_changes: deleted,
  sequence_entries: deleted,
  sequence_members: deleted,
  sequence_steps: deleted,
  sequence_versions: deleted,
  sequence_wakes: deleted,
  sequences: deleted,
  soft_bounces: deleted,
  submissions: deleted,
  suppressed_hashes: asAsked,
  suppressions: asAsked,
  taggings: deleted,
  template_versions: deleted,
  templates: deleted,
  topics: deleted,
  tracked_links: deleted,
  unapproved_reach: stays,
  unapproved_reach_buckets: stays,
  usage_days: deleted,
  usage_months: deleted,
  usage_standing: deleted,
  usage_thresholds: deleted,
  webhook_attempts: deleted,
  webhook_secrets: deleted,
  webhooks: deleted,
}
