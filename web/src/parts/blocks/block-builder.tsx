/** The blocks of a mail, with what the service finds wrong at each. */
import { CrierError } from '@crier-mail/sdk/session'
import { useEffect, useRef, useState } from 'react'
import { cx } from '../../ui/classes.ts'
import { Failure, faultOf } from '../../ui/states.tsx'
import { tell } from '../../ui/tell.ts'
import { blockWords } from '../../words/block-words.ts'
import { pictureIn, usePictureUpload } from '../pictures/use-upload.ts'
import { BlockList } from './block-list.tsx'
import { type Block, pictureFields } from './model.ts'

interface BlockBuilderProps {
  blocks: readonly Block[]
  onChange: (blocks: Block[]) => void
  /** What the service finds wrong with the mail. */
  error: unknown
}

export function BlockBuilder({ blocks, onChange, error }: BlockBuilderProps) {
  const at = error instanceof CrierError ? error.field : undefined
  const isOfBlock = at?.startsWith('blocks[') ?? false
  // The message begins with the path of the field, which the builder shows by its place.
  const fault = (field: string) => {
    const message = faultOf(error)(field)
    return message?.startsWith(`${at} `) ? message.slice((at ?? '').length + 1) : message
  }
  // More may be typed while a picture is on its way.
  const current = useRef(blocks)
  useEffect(() => {
    current.current = blocks
  })
  const [isOver, setOver] = useState(false)
  const { pictures } = blockWords
  const upload = usePictureUpload((picture) => {
    onChange([...current.current, { type: 'image', ...pictureFields(picture) } as Block])
    tell(pictures.added, { description: pictures.addedAbout })
  })
  /** A picture that is dropped or pasted anywhere on the blocks becomes one of them. */
  const take = (data: DataTransfer) => {
    const file = pictureIn(data)
    if (file && !upload.isPending) upload.mutate(file)
    return file !== undefined
  }
  return (
    <section
      aria-label={blockWords.title}
      className={cx('grid gap-2 rounded-lg', isOver && 'outline-2 outline-accent')}
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes('Files')) return
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        setOver(false)
        if (take(event.dataTransfer)) event.preventDefault()
      }}
      onPaste={(event) => take(event.clipboardData) && event.preventDefault()}
    >
      <BlockList blocks={blocks} onChange={onChange} fault={fault} at="blocks" />
      {upload.isPending && (
        <p role="status" className="text-sm text-muted">
          {blockWords.pictures.sending}
        </p>
      )}
      {upload.error && <Failure error={upload.error} />}
      {error !== null && error !== undefined && !isOfBlock && blocks.length > 0 && (
        <Failure error={error} />
      )}
    </section>
  )
}
