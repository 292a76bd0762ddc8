/** What a message of a template says: the template filled in for whom it goes to. */
import type { ReadLetterhead } from '../businesses/letterhead.ts'
import { createContactReader } from '../contacts/contact-reader.ts'
import type { Database } from '../platform/db.ts'
import { refuse } from '../platform/errors.ts'
import type { Templates as TemplateRoom } from '../templates/compile.ts'
import { templateVariables } from '../templates/variables.ts'
import { createCompiledReader } from '../templates/version.ts'
import type { Templates } from './parts.ts'

export interface TemplateWordsDeps {
  db: Database
  templates: TemplateRoom
  letterheadOf: ReadLetterhead
}

export function createTemplateWords({ db, templates, letterheadOf }: TemplateWordsDeps): Templates {
  const compiledOf = createCompiledReader()
  const contactOf = createContactReader(db)
  return {
    async render({ businessId, templateVersionId, contactId, variables, preferencesUrl = '' }) {
      const [compiled, business, contact] = await Promise.all([
        compiledOf(db, businessId, templateVersionId),
        letterheadOf(businessId),
        contactId && contactOf({ businessId, contactId }),
      ])
      if (!compiled || !business) return refuse('gone', 'The template was deleted.')
      const around = {
        business,
        ...(contact && { contact }),
        unsubscribeUrl: preferencesUrl,
        preferencesUrl,
      }
      return templates.renderContent(compiled, templateVariables(around, variables))
    },
    textOf: (html) => templates.textOf(html),
  }
}
