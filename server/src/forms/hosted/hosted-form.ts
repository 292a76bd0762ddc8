import type { Id } from '../../core/ids.ts'
import type { Tier } from '../../core/operation.ts'
import type { FormField, FormStatus } from '../form.ts'
import type { FormPage } from '../form-page.ts'
import type { OfferedTopics } from '../topics/offered-topics.ts'

/** A form as its public visitors see it. */
export interface HostedForm {
  businessId: Id<'business'>
  tier: Tier
  id: Id<'form'>
  name: string
  status: FormStatus
  fields: FormField[]
  page: FormPage
  doubleOptIn: boolean
  /** Visitors solve a challenge, or their confirmation mail is held. */
  isGuarded: boolean
  /** The names of the topics that the form offers. */
  offeredTopics: OfferedTopics
}
