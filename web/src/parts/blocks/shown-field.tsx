/** Who sees a block: everybody, or those whom a filter fits. */
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { furtherWords } from '../../words/further-blocks.ts'
import { FilterRows } from '../filter/filter-rows.tsx'
import { filterInWords } from '../filter/filter-words.ts'
import type { FieldsProps } from './block-editor.tsx'

export function ShownField({ block, set }: FieldsProps) {
  const w = furtherWords.shown
  const [isOpen, setOpen] = useState(false)
  const [filter, setFilter] = useState(block.show_if)
  const open = () => {
    setFilter(block.show_if)
    setOpen(true)
  }
  return (
    <section aria-label={w.title} className="grid justify-items-start gap-1.5">
      <p className="text-sm font-medium">{w.title}</p>
      <p className="text-sm break-words text-muted">
        {block.show_if ? filterInWords(block.show_if) : w.all}
      </p>
      <div className="flex flex-wrap gap-2">
        <Button onClick={open}>{block.show_if ? w.change : w.choose}</Button>
        {block.show_if && (
          <Button look="quiet" onClick={() => set({ show_if: undefined } as never)}>
            {w.toAll}
          </Button>
        )}
      </div>
      <Dialog
        open={isOpen}
        onClose={() => setOpen(false)}
        title={w.dialog}
        description={w.about}
        wide
      >
        <div className="grid gap-4">
          <FilterRows filter={filter} onChange={setFilter} />
          <div className="flex justify-end gap-2">
            <Button look="quiet" onClick={() => setOpen(false)}>
              {w.cancel}
            </Button>
            <Button
              look="main"
              disabled={filter === undefined}
              onClick={() => {
                set({ show_if: filter } as never)
                setOpen(false)
              }}
            >
              {w.take}
            </Button>
          </div>
        </div>
      </Dialog>
    </section>
  )
}
