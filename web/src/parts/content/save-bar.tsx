/** The end of an editor of content: what went wrong, and saving. */
import type { ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import { Failure } from '../../ui/states.tsx'
import { words } from '../../words/words.ts'

interface SaveBarProps {
  error: unknown
  isChanged: boolean
  /** Two versions wait for a choice. */
  isBlocked: boolean
  isSaving: boolean
  onSave: () => void
  /** Submits the form, which saves and goes on; without it, saving is the main button. */
  goOn?: string
  children?: ReactNode
}

export function SaveBar({
  error,
  isChanged,
  isBlocked,
  isSaving,
  onSave,
  goOn,
  children,
}: SaveBarProps) {
  return (
    <>
      {error !== null && error !== undefined && <Failure error={error} />}
      <div className="flex flex-wrap justify-end gap-2">
        {children}
        <Button
          look={goOn === undefined ? 'main' : 'plain'}
          busy={isSaving}
          disabled={!isChanged || isBlocked}
          onClick={onSave}
        >
          {words.save}
        </Button>
        {goOn !== undefined && (
          <Button look="main" type="submit" busy={isSaving} disabled={isBlocked}>
            {goOn}
          </Button>
        )}
      </div>
    </>
  )
}
