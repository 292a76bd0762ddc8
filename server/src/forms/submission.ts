import type { ConsentStatus } from '../contacts/contact.ts'
import type { Id } from '../core/ids.ts'
import { highestId } from '../core/paging.ts'
import { sql } from '../lib/db/db.ts'
import type { Db } from '../lib/db/types.ts'

/** A person's submission to a form. Only erasure and merging change it. */
export interface Submission {
  id: Id<'submission'>
  contactId: Id<'contact'>
  /** The version of the form's fields that the answers were checked against. */
  formVersion: number
  fields: Record<string, string>
  sourceUrl: string
  /** The person's consent now; null where the contact is gone. */
  emailConsent: ConsentStatus | null
  smsConsent: ConsentStatus | null
  createdAt: Date
}

interface SubmissionPage {
  /** Lists only submissions older than this one. */
  before: Id<'submission'> | null
  limit: number
}

/** Lists submissions, newest first. */
export function listSubmissions(
  db: Db,
  businessId: Id<'business'>,
  formId: Id<'form'>,
  { before, limit }: SubmissionPage,
): Promise<Submission[]> {
  return db.all(sql`
    select s.id, s.contact_id as "contactId", s.form_version as "formVersion", s.fields,
      s.source_url as "sourceUrl", s.created_at as "createdAt",
      c.email_consent as "emailConsent", c.sms_consent as "smsConsent"
    from submissions s
    left join contacts c on c.business_id = s.business_id and c.id = s.contact_id
    where s.business_id = ${businessId} and s.form_id = ${formId}
      and s.id < ${before ?? highestId}
    order by s.id desc limit ${limit}
  `)
}
