/** The blocks of a mail, with what the service finds wrong at each. */
import { CrierError } from '@crier-mail/sdk/session'
import { Failure, faultOf } from '../../ui/states.tsx'
import { blockWords } from '../../words/block-words.ts'
import { BlockList } from './block-list.tsx'
import type { Block } from './model.ts'
import { type BlockMail, useBlockPreview } from './use-block-preview.ts'

export function BlockBuilder({
  onChange,
  ...mail
}: BlockMail & { onChange: (blocks: Block[]) => void }) {
  const { error } = useBlockPreview(mail)
  const at = error instanceof CrierError ? error.field : undefined
  const isOfBlock = at?.startsWith('blocks[') ?? false
  // The message begins with the path of the field, which the builder shows by its place.
  const fault = (field: string) => {
    const message = faultOf(error)(field)
    return message?.startsWith(`${at} `) ? message.slice((at ?? '').length + 1) : message
  }
  return (
    <section aria-label={blockWords.title} className="grid gap-2">
      <BlockList blocks={mail.blocks} onChange={onChange} fault={fault} at="blocks" />
      {error && !isOfBlock && mail.blocks.length > 0 && <Failure error={error} />}
    </section>
  )
}
