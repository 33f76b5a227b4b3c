import { beforeAll, describe, expect, it } from 'vitest'
import { markersOf } from '../support/answers.ts'
import { createTenant, type Tenant, uploadForm } from '../support/api.ts'
import { sharedServers } from '../support/databases.ts'

interface Sample {
  language: string
  /** Two short documents of one language about different things. */
  texts: [string, string]
  /**
   * Questions about the first and the second document, with inflected forms of their words if the language has them.
   */
  questions: [string, string]
  facts: [string, string]
}

const samples: Sample[] = [
  {
    language: 'German',
    texts: [
      'Die Häuser am Fluss wurden im Jahr 1912 gebaut. Heute wohnen dort vor allem ältere Menschen.',
      'Die Bäckerei öffnet um sechs Uhr. Am Sonntag bleiben die Türen geschlossen.',
    ],
    questions: ['Wann wurde das Haus am Fluss gebaut?', 'Wann öffnen die Bäckereien?'],
    facts: ['1912', 'sechs Uhr'],
  },
  {
    language: 'French',
    texts: [
      'Les élèves de l’école mangent à midi dans la grande cantine. Le menu change chaque semaine.',
      'Le château fut construit en 1684 pour une duchesse. Ses jardins sont ouverts au public.',
    ],
    questions: ['Où mange l’élève ?', 'Quand les châteaux furent-ils construits ?'],
    facts: ['cantine', '1684'],
  },
  {
    language: 'Spanish',
    texts: [
      'Los niños del pueblo aprenden música los jueves. El maestro toca el violín.',
      'La montaña más alta mide 3478 metros y está cubierta de nieve hasta junio.',
    ],
    questions: ['¿Cuándo aprende música el niño?', '¿Cuánto miden las montañas más altas?'],
    facts: ['jueves', '3478'],
  },
  {
    language: 'Portuguese',
    texts: [
      'Os pescadores da aldeia saem para o mar às quatro da manhã. Voltam antes do almoço.',
      'A biblioteca emprestou dezoito mil livros no ano passado. As crianças leem mais do que os adultos.',
    ],
    questions: ['A que horas sai o pescador para o mar?', 'Quantos livros emprestaram as bibliotecas?'],
    facts: ['quatro da manhã', 'dezoito mil'],
  },
  {
    language: 'Russian',
    texts: [
      'Старый мост через реку построили в 1897 году. По нему ходят только пешеходы.',
      'Библиотека города хранит сорок тысяч книг. Читатели приходят сюда каждый день.',
    ],
    questions: ['Когда был построен мост через реки?', 'Сколько книг хранят библиотеки?'],
    facts: ['1897', 'сорок тысяч'],
  },
  {
    language: 'Arabic',
    texts: [
      'تفتح المكتبة أبوابها في الساعة الثامنة صباحا. يزورها طلاب كثيرون كل يوم.',
      'بني الجسر القديم فوق النهر عام 1905. وهو مخصص للمشاة فقط.',
    ],
    questions: ['متى تفتح مكتبة المدينة؟', 'متى بني جسر النهر؟'],
    facts: ['الثامنة', '1905'],
  },
  {
    language: 'Chinese',
    texts: [
      '图书馆每天早上八点开门，晚上九点关门。周末也对学生开放。',
      '老桥建于一九零五年，现在只供行人使用。桥下有一座小公园。',
    ],
    questions: ['图书馆几点开门？', '老桥是哪一年建的？'],
    facts: ['八点', '一九零五年'],
  },
  {
    language: 'Japanese',
    texts: [
      '駅前の図書館は午前九時に開きます。月曜日は休館です。',
      '古い橋は一九二三年に建てられました。今は歩行者だけが渡れます。',
    ],
    questions: ['図書館は何時に開きますか。', '古い橋はいつ建てられましたか。'],
    facts: ['九時', '一九二三年'],
  },
  {
    language: 'Korean',
    texts: [
      '도서관은 아침 여덟 시에 문을 엽니다. 주말에는 학생들이 많이 찾아옵니다.',
      '오래된 다리는 1936년에 세워졌습니다. 지금은 보행자만 건널 수 있습니다.',
    ],
    questions: ['도서관 문은 몇 시에 엽니까?', '오래된 다리를 언제 세웠습니까?'],
    facts: ['여덟 시', '1936'],
  },
  {
    language: 'Greek',
    texts: [
      'Η βιβλιοθήκη ανοίγει στις οκτώ το πρωί. Οι φοιτητές έρχονται κάθε μέρα.',
      'Η παλιά γέφυρα χτίστηκε το 1888 από έναν μηχανικό της πόλης.',
    ],
    questions: ['Πότε ανοίγουν οι βιβλιοθήκες;', 'Πότε χτίστηκαν οι παλιές γέφυρες;'],
    facts: ['οκτώ', '1888'],
  },
  {
    language: 'Hindi',
    texts: [
      'पुस्तकालय सुबह आठ बजे खुलता है। छात्र यहाँ रोज़ पढ़ने आते हैं।',
      'पुराना पुल सन 1921 में बनाया गया था। अब उस पर केवल पैदल यात्री चलते हैं।',
    ],
    questions: ['पुस्तकालय कितने बजे खुलता है?', 'पुराना पुल कब बनाया गया?'],
    facts: ['आठ बजे', '1921'],
  },
  {
    language: 'Turkish',
    texts: [
      'Kütüphane sabah saat sekizde açılır. Öğrenciler her gün buraya gelir.',
      'Eski köprü 1934 yılında yapıldı. Köprüden artık yalnız yayalar geçer.',
    ],
    questions: ['Kütüphaneler saat kaçta açılır?', 'Eski köprüler ne zaman yapıldı?'],
    facts: ['sekizde', '1934'],
  },
  {
    language: 'Thai',
    texts: [
      'ห้องสมุดเปิดเวลาแปดโมงเช้าทุกวัน นักเรียนมาอ่านหนังสือที่นี่เสมอ',
      'สะพานเก่าสร้างขึ้นในปี 2478 ปัจจุบันใช้เฉพาะคนเดินเท้า',
    ],
    questions: ['ห้องสมุดเปิดกี่โมง', 'สะพานเก่าสร้างขึ้นปีไหน'],
    facts: ['แปดโมง', '2478'],
  },
]

const cases = samples.flatMap(({ language, questions, facts }) =>
  questions.map((question, at) => ({ language, question, at, fact: facts[at] ?? '' })),
)

describe.each(sharedServers)('documents of many languages in one chat, on $database', ({ server }) => {
  let tenant: Tenant
  const ids = new Map<string, string>()

  beforeAll(async () => {
    tenant = await createTenant(server.url)
    const path = `/v1/${tenant.chatId}/upload_with_scopes`
    for (const [number, { language, texts }] of samples.entries()) {
      for (const [at, text] of texts.entries()) {
        // The name contains no words of the text.
        const { body } = await tenant.chat.ok('POST', path, uploadForm(`${2 * number + at}.txt`, text))
        ids.set(`${language} ${at}`, body.file_id)
      }
    }
  })

  it.each(cases)('$language: $question', async ({ language, question, at, fact }) => {
    const { body } = await tenant.chat.ok('POST', `/v1/${tenant.chatId}/answer_question`, { question })
    const [first] = markersOf(body.answer)
    expect(body.answer).toContain(fact)
    expect(body.context[first ?? -1]?.file_id, body.answer).toBe(ids.get(`${language} ${at}`))
  })
})
