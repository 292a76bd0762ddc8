/** The forms of the demo, and the answers that people sent with them. */
import type { DemoCalls } from './calls.ts'
import type { DemoPerson } from './people.ts'
import type { DemoForm } from './story.ts'

/** One contact in this many has sent a form. */
const everyContact = 23

export async function submitForms(
  calls: DemoCalls,
  { forms, people }: { forms: readonly DemoForm[]; people: readonly DemoPerson[] },
): Promise<void> {
  let next = 0
  for (const { name, status, fields, tags = [], submissions, answers = {} } of forms) {
    const saved = await calls<{ form_id: string }>('form.save', { name, status, fields, tags })
    for (let index = 0; index < submissions; index++) {
      next = (next + everyContact) % people.length
      const person = people[next]
      if (!person) continue
      const others = Object.entries(answers).map(([key, values]) => [
        key,
        values[index % values.length] ?? '',
      ])
      await calls('form.submit', {
        form_id: saved.form_id,
        fields: { email: person.email, name: person.name, ...Object.fromEntries(others) },
      })
    }
  }
}
