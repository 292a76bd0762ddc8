/** The times of a week at which something is sent, each a day and a time such as `mon 08:00`. */
import { Button, IconButton } from '../../ui/button.tsx'
import { cx } from '../../ui/classes.ts'
import { Input, Select } from '../../ui/field.tsx'
import { feedWords } from '../../words/feeds.ts'
import { language } from '../../words/texts.ts'

/** As many as the service takes. */
const mostTimes = 14

const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']

const weekdayFormat = new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'UTC' })
/** The seventh of January 2030 is a Monday. */
const weekdayNames = weekdays.map(
  (day, place) => [day, weekdayFormat.format(Date.UTC(2030, 0, 7 + place))] as const,
)

/** The same time on the next day of the week. */
function dayAfter(time = 'sun 08:00'): string {
  const [day = '', clock = ''] = time.split(' ')
  return `${weekdays[(weekdays.indexOf(day) + 1) % weekdays.length]} ${clock}`
}

interface WeekTimesProps {
  times: readonly string[]
  onChange: (times: string[]) => void
  fault: (field: string) => string | undefined
}

export function WeekTimes({ times, onChange, fault }: WeekTimesProps) {
  const w = feedWords
  const replace = (place: number, time: string) => onChange(times.with(place, time))
  return (
    <fieldset className="grid content-start gap-2">
      <legend className="pb-1 text-sm font-medium">{w.times}</legend>
      {times.map((time, place) => {
        const [day = '', clock = ''] = time.split(' ')
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a time is told apart by its place alone.
          <div key={place} className="flex items-end gap-2">
            <Select
              label={w.weekday(place + 1)}
              hidden
              value={day}
              onChange={({ target }) => replace(place, `${target.value} ${clock}`)}
              options={weekdayNames}
            />
            <Input
              label={w.timeOfDay(place + 1)}
              hidden
              type="time"
              value={clock}
              onChange={({ target }) => replace(place, `${day} ${target.value}`)}
            />
            {times.length > 1 && (
              <IconButton
                icon="close"
                label={w.removeTime(place + 1)}
                onClick={() => onChange(times.toSpliced(place, 1))}
              />
            )}
          </div>
        )
      })}
      {times.length < mostTimes && (
        <div>
          <Button icon="plus" onClick={() => onChange([...times, dayAfter(times.at(-1))])}>
            {w.addTime}
          </Button>
        </div>
      )}
      <p className={cx('text-sm', fault('times') === undefined ? 'text-muted' : 'text-bad')}>
        {fault('times') ?? w.timesHint}
      </p>
    </fieldset>
  )
}
