/** The templates of one business, for tests and benches that have only one. */
import { newId } from 'crier-server/core/ids.ts'
import type { Look } from 'crier-server/templates/blocks/block.ts'
import {
  type Compiled,
  createTemplates,
  type TemplatesOptions,
  type Variables,
} from 'crier-server/templates/compile.ts'
import type { TemplateSource } from 'crier-server/templates/source.ts'

export type OwnTemplates = ReturnType<typeof ownTemplates>

/** Hostile templates follow each other here without the wait that a business has in between. */
export function ownTemplates(options: TemplatesOptions = {}) {
  const all = createTemplates({ afterStop: { ms: 0, deadlineMs: 10_000 }, ...options })
  const businessId = newId('business')
  const own = (compiled: Compiled) => ({ businessId, compiled })
  return {
    all,
    check: (source: TemplateSource, look?: Look) => all.check(businessId, source, look),
    preview: (compiled: Compiled, variables: Variables) => all.preview(own(compiled), variables),
    render: (compiled: Compiled, variables: Variables) => all.render(own(compiled), variables),
    renderContent: (compiled: Compiled, variables: Variables) =>
      all.renderContent(own(compiled), variables),
    hand: (compiled: Compiled, work: (whole: boolean) => unknown) => all.hand(own(compiled), work),
    textOf: (html: string) => all.textOf(businessId, html),
    close: () => all.close(),
  }
}
