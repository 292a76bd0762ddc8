/** Renders the content of messages that use a template, for their recipients. */

import type { SenderProfile } from '../accounts/businesses/business.ts'
import type { ReadSenderProfile } from '../accounts/businesses/sender-profile.ts'
import { createContactReader } from '../contacts/recipients.ts'
import { isRefusal, orRefusal, orThrow, refuse } from '../core/errors.ts'
import type { Id } from '../core/ids.ts'
import type { Database } from '../lib/db/types.ts'
import type { Compiled, Templates as TemplateRoom } from '../templates/compile.ts'
import {
  type Condition,
  keysShown,
  type Recipient,
  templateVariables,
} from '../templates/variables.ts'
import { compiledFor, createCompiledReader } from '../templates/version.ts'
import type { Templates, ToRender } from './dependencies.ts'
import { surroundingVariables } from './mail-of.ts'
import { createOwnWords, type FillOwnWords, maskedRecipient, refuseMissing } from './own-words.ts'

export interface TemplateWordsDeps {
  db: Database
  templates: TemplateRoom
  senderProfileOf: ReadSenderProfile
}

/** The values with which a template is rendered. */
export interface Filling {
  /** In the language of the recipient, if the template has it. */
  compiled: Compiled
  business: SenderProfile
  contact: Recipient | undefined
  /** The filters of the template's blocks. */
  conditions: readonly Condition[]
}

/** A template as a call names it, before its message is queued. */
interface ToCheck
  extends Pick<
    ToRender,
    'businessId' | 'templateVersionId' | 'variables' | 'language' | 'masksContact'
  > {
  /** Asked only if the contact's language chooses a translation. */
  findContactId(): Promise<Id<'contact'> | null>
}

/** Refuses a template that would be sent with a hole, because a value is missing. */
export type CheckTemplateValues = (message: ToCheck) => Promise<void>

export interface TemplateWords extends Templates {
  fillOwn: FillOwnWords
  checkValues: CheckTemplateValues
  fillingOf(
    message: Pick<
      ToRender,
      'businessId' | 'templateVersionId' | 'contactId' | 'language' | 'masksContact'
    >,
  ): Promise<Filling>
}

export function createTemplateWords(deps: TemplateWordsDeps): TemplateWords {
  const { db, templates, senderProfileOf } = deps
  const compiledOf = createCompiledReader()
  const contactOf = createContactReader(db)
  const fillingOf: TemplateWords['fillingOf'] = async (message) => {
    const { businessId, templateVersionId, contactId, language } = message
    const [compiled, business, contact] = await Promise.all([
      compiledOf(db, businessId, templateVersionId),
      senderProfileOf(businessId),
      contactId && contactOf({ businessId, contactId }),
    ])
    if (!compiled || !business) throw refuse('gone', 'The template was deleted.')
    const inLanguage = compiledFor(compiled, language ?? (contact || undefined)?.language)
    const { conditions = [] } = compiled
    const recipient = contact && message.masksContact ? await maskedRecipient(contact) : contact
    return { compiled: inLanguage, business, contact: recipient || undefined, conditions }
  }
  return {
    fillingOf,
    fillOwn: createOwnWords({ templates, senderProfileOf, contactOf }),
    async render({ variables, shownBlocks, ...message }) {
      const filling = await fillingOf(message)
      const keys = keysShown(filling.conditions, shownBlocks)
      const surrounding = surroundingVariables({ ...filling, shownKeys: keys }, message)
      const own = { businessId: message.businessId, compiled: filling.compiled }
      return orThrow(await templates.renderContent(own, templateVariables(surrounding, variables)))
    },
    async checkValues({ findContactId, ...message }) {
      const { businessId, templateVersionId, variables, language, masksContact } = message
      const whole = await compiledOf(db, businessId, templateVersionId)
      // It was deleted a moment ago, which its message tells later.
      if (!whole) return
      const needsLanguage = whole.translations && !language
      const contactId = needsLanguage ? await findContactId() : null
      const filling = await orRefusal(() =>
        fillingOf({
          businessId,
          templateVersionId,
          contactId,
          ...(language && { language }),
          ...(masksContact && { masksContact }),
        }),
      )
      if (isRefusal(filling)) return
      const keys = keysShown(filling.conditions, 'all')
      const all = templateVariables(
        surroundingVariables({ ...filling, shownKeys: keys }),
        variables,
      )
      const own = { businessId, compiled: filling.compiled }
      const missing = orThrow(await templates.missingIn(own, all))
      if (missing) throw refuseMissing(missing, 'variables')
    },
    languageOf: async (key) => (await contactOf(key))?.language ?? null,
    textOf: async (businessId, html) => orThrow(await templates.textOf(businessId, html)),
  }
}
