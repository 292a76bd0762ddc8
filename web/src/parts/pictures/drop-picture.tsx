/** Takes a picture that is dropped, pasted or chosen, and shows the one that is there. */
import { Suspense, useRef, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { cx } from '../../ui/classes.ts'
import { lazyPart } from '../../ui/lazy-part.ts'
import { Failure } from '../../ui/states.tsx'
import { blockWords } from '../../words/blocks.ts'
import { isOwnPicture } from './own-address.ts'
import { type Picture, pictureIn, pictureTypes, usePictureUpload } from './use-upload.ts'

const PictureShelf = lazyPart(() => import('./picture-shelf.tsx'), 'PictureShelf')

interface DropPictureProps {
  /** The address of the present picture. */
  src: string
  onPicture: (picture: Picture) => void
}

export function DropPicture({ src, onPicture }: DropPictureProps) {
  const { pictures } = blockWords
  const input = useRef<HTMLInputElement>(null)
  const [isOver, setOver] = useState(false)
  const [showsShelf, showShelf] = useState(false)
  const upload = usePictureUpload(onPicture)
  const take = (file: File | undefined) => {
    if (file && !upload.isPending) upload.mutate(file)
  }
  const isThere = isOwnPicture(src)
  return (
    <div className="grid gap-2">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the buttons within do the same by keyboard. */}
      <div
        onDragOver={(event) => {
          if (!event.dataTransfer.types.includes('Files')) return
          event.preventDefault()
          event.stopPropagation()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault()
          event.stopPropagation()
          setOver(false)
          take(pictureIn(event.dataTransfer))
        }}
        onPaste={(event) => {
          const file = pictureIn(event.clipboardData)
          if (!file) return
          event.preventDefault()
          event.stopPropagation()
          take(file)
        }}
        className={cx(
          'grid gap-3 rounded-lg border border-dashed p-3 transition-colors',
          isOver ? 'border-accent bg-accent-ground' : 'border-line-strong bg-surface',
        )}
      >
        {isThere && (
          <img
            src={src}
            alt={pictures.present}
            className="mx-auto block max-h-44 max-w-full rounded-md bg-[#ffffff] object-contain"
          />
        )}
        <div className="flex flex-wrap items-center justify-center gap-2">
          <Button icon="upload" busy={upload.isPending} onClick={() => input.current?.click()}>
            {isThere ? pictures.replace : pictures.choose}
          </Button>
          <Button onClick={() => showShelf(true)}>{pictures.shelf}</Button>
        </div>
        <p className="text-center text-sm text-muted" aria-live="polite">
          {upload.isPending ? pictures.sending : pictures.drop}
        </p>
        <input
          ref={input}
          type="file"
          accept={pictureTypes}
          aria-label={pictures.choose}
          className="hidden"
          onChange={({ target }) => {
            take(target.files?.[0])
            // The same file can be chosen again after it was changed.
            target.value = ''
          }}
        />
      </div>
      {upload.error && <Failure error={upload.error} />}
      {showsShelf && (
        <Suspense>
          <PictureShelf
            onClose={() => showShelf(false)}
            onChoose={() => {
              showShelf(false)
              input.current?.click()
            }}
            onPick={(picture) => {
              showShelf(false)
              onPicture(picture)
            }}
          />
        </Suspense>
      )}
    </div>
  )
}
