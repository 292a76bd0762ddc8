/** The names of columns that mean the same in the files of many services, in several languages. */

/** Each target with its names, as `plainName` reduces them. */
const namesOf: Readonly<Record<string, string>> = {
  email:
    'email emailaddress emailid mail emailadresse mailadresse correo correoelectronico courriel adresseemail adressemail indirizzoemail emailadres enderecodeemail adresemail',
  phone:
    'phone phonenumber mobile mobilenumber sms smsphonenumber telefon telefonnummer handy handynummer mobil mobilnummer telefono telephone portable cellulare telefoon telefoonnummer telefone telemovel',
  external_id: 'externalid externeid kundennummer customerid userid',
  name: 'name fullname vollername vorundnachname nombrecompleto nomcomplet nomecompleto',
  first_name: 'firstname fname givenname vorname prenom nombre nome voornaam imie',
  last_name:
    'lastname lname surname familyname nachname familienname nomdefamille apellido apellidos cognome achternaam sobrenome apelido nazwisko',
  language: 'language lang locale sprache langue idioma lingua taal jezyk',
  tags: 'tags schlagworte schlagworter etiquetas etiquettes etichette',
}

const targets = new Map(
  Object.entries(namesOf).flatMap(([target, names]) =>
    names.split(' ').map((name) => [name, target] as const),
  ),
)

const countryNames = new Set(
  'country countrycode cc land landercode laendercode landerkurzel pays codepays pais paese landcode kraj'.split(
    ' ',
  ),
)

/** Whether a column of this name holds the country of a person. */
export const isCountryName = (name: string): boolean => countryNames.has(name)

/** What a column of this name holds in the files of many services. */
export const commonTarget = (name: string): string | undefined => targets.get(name)

/** Lower-case letters and digits alone, without accents. */
export const plainName = (column: string) =>
  column
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '')
