/** A file that is being checked, imported, or undone. */
import { useMutation } from '@tanstack/react-query'
import { useBusinessId } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { ProgressBar } from '../../ui/bar-chart.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/page.tsx'
import { Failure } from '../../ui/states.tsx'
import { importWords } from '../../words/imports.ts'
import { number } from '../../words/words.ts'
import type { Import } from './import.tsx'

type Step = 'pause' | 'confirm' | 'cancel'

export function UnderWay({ one }: { one: Import }) {
  const business_id = useBusinessId()
  const imports = importWords
  const { import_id, state, progress } = one
  const change = useMutation({
    mutationFn: (step: Step) => api.import[step]({ business_id, import_id }),
  })
  const title = imports.doing[state as keyof typeof imports.doing]
  return (
    <Card
      title={<bdi>{one.file_name}</bdi>}
      actions={
        <>
          {state === 'running' && (
            <Button icon="pause" busy={change.isPending} onClick={() => change.mutate('pause')}>
              {imports.pause}
            </Button>
          )}
          {state === 'paused' && (
            <Button
              look="main"
              icon="play"
              busy={change.isPending}
              onClick={() => change.mutate('confirm')}
            >
              {imports.goOn}
            </Button>
          )}
          {state !== 'undoing' && (
            <Button look="danger" busy={change.isPending} onClick={() => change.mutate('cancel')}>
              {imports.cancel}
            </Button>
          )}
        </>
      }
    >
      <div className="grid gap-3">
        <p className="font-medium" role="status">
          {title}
        </p>
        {progress && (
          <>
            <ProgressBar share={progress.percent / 100} label={title} />
            <p className="text-muted tabular-nums">
              {imports.rowsSoFar(number(progress.rows))}
              {progress.rows_per_second !== null &&
                ` · ${imports.rate(number(progress.rows_per_second))}`}
              {progress.seconds_left !== null &&
                state !== 'paused' &&
                ` · ${imports.left(number(progress.seconds_left))}`}
            </p>
          </>
        )}
        {state === 'running' && <p className="text-muted">{imports.mayLeave}</p>}
        {change.error && <Failure error={change.error} />}
      </div>
    </Card>
  )
}
