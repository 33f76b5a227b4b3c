/**
 * Words of one meaning, one meaning per line; opposites follow after `~`. With a leading `!`, the opposite denies the
 * statement (forbidden), even if the other text has no word of this line. Otherwise the two sides are ends of a scale.
 */
export const opposites = `
open ~ closed close shut
! allowed allow permitted permit may can possible able entitled ~ forbidden forbid prohibited prohibit banned ban impossible disallowed unable illegal
! accept accepted approve approved ~ reject rejected refuse refused decline declined deny denied
! include included contain contains ~ exclude excluded omit omitted except
! work working functional functioning operational ~ broken defective faulty outoforder
! pass passed succeed succeeded success successful ~ fail failed failure
! enable enabled ~ disable disabled
! win won beat beats beaten defeated defeats ~ lose lost loses
! survive survived live alive ~ die died dead fatal fatally lethal deadly
! true correct right-answer ~ false incorrect wrong
! guilty ~ innocent acquitted
! agree agreed ~ disagree disagreed
! safe ~ dangerous unsafe hazardous
! present ~ absent missing
! support supports supported ~ oppose opposed opposes
! required require requires need needed needs necessary mandatory compulsory must obligatory ~ optional voluntary unnecessary
! takeplace held ~ cancelled canceled calledoff scrapped axed
increase increased rise rises rose risen raise raised raises grow grew grown climb climbed gain gained higher ~ decrease decreased fall fell fallen drop dropped decline reduce reduced reduces lower lowers lowered sink sank sunk shrink shrank
before earlier ~ after later afterwards
start started begin began begun begins ~ end ended finish finished stop stopped stops
always ~ never
hot warm ~ cold cool
large big huge great major ~ small little tiny minor
high upper top ~ low bottom
left ~ right
deep ~ shallow
long ~ short brief
fast quick quickly rapid ~ slow slowly
early ~ late
heavy ~ light
minimum smallest least min ~ maximum largest greatest max
more ~ less fewer
first ~ last
inside indoors within ~ outside outdoors
above over ~ below under beneath
good well better best ~ bad badly worse worst poor
old ~ new young
strong ~ weak
rich ~ poor
full ~ empty
public ~ private
legal lawful ~ unlawful
buy bought purchase purchased acquire acquired ~ sell sold
borrow borrows borrowed borrower ~ lend lends lent lender loan
teach teaches taught teacher instruct ~ student pupil learn learned learnt
precede precedes preceded ~ follow follows followed
own owns owned ~ belong belongs belonged
arrive arrived arrival ~ depart departed departure
expand expands expanded ~ contract contracts contracted
improve improves improved ~ worsen worsened
easy simple ~ difficult hard
cheap ~ expensive
wet ~ dry
internal ~ external
import ~ export
male ~ female
day ~ night
winter ~ summer
add added ~ remove removed delete deleted
many much lots ~ few
save saved ~ waste wasted
push ~ pull
! confirm confirmed ~ refute refuted disproved
! exist exists ~ extinct
! known ~ unknown
! visible ~ hidden invisible
! available ~ unavailable
! likely probable ~ unlikely improbable
! remember remembered ~ forget forgot forgotten
! trust ~ distrust
! free ~ occupied
! obey ~ disobey
! attend ~ skip
! healthy ~ sick ill
! alive ~ dead
! valid ~ expired void invalid
! legal ~ illegal unlawful
! love like enjoy ~ hate detest dislike
attract ~ repel
absorb ~ emit release
ascend ~ descend
advance ~ retreat
front ~ back rear
horizontal ~ vertical
clockwise ~ counterclockwise anticlockwise
wide broad ~ narrow
thick ~ thin
hard ~ soft
loud noisy ~ quiet silent
bright ~ dark dim
clean ~ dirty
positive ~ negative
odd ~ even
buyer ~ seller
winner ~ loser
guest ~ host
parent ~ child
permanent ~ temporary
ancient ~ modern
acid acidic ~ alkaline
solid ~ liquid
freeze froze frozen ~ melt melted thaw
tighten ~ loosen
lock ~ unlock unlocked
attach attached ~ detach detached
connect connected ~ disconnect disconnected
encrypt encrypted ~ decrypt decrypted plaintext
install installed ~ uninstall uninstalled
inhale ~ exhale
income ~ expense
profit ~ loss
surplus ~ deficit
supply ~ demand
majority ~ minority
victory ~ defeat
ally ~ enemy
past ~ future
mandatory ~ optional
synchronous ~ asynchronous
static ~ dynamic
mutable ~ immutable
`

/** Synonyms, one meaning per line. */
export const synonyms = `
repair fix mend
trouble problem issue fault difficulty
turnback return sendback
submit file lodge handin
borrow keep
company firm business enterprise
bicycle bike cycle
make produce manufacture create build
job work employment occupation
help assist aid support
begin start launch commence
end finish conclude complete
engine motor
throw discard dispose
gather collect
train coach educate
recognise recognize identify
error failure fault mistake
retry tryagain retried repeat
car automobile vehicle
doctor physician
child kid children
person people human individual
employee staff worker personnel
customer client
house home dwelling
buy purchase
get obtain receive got
show display present
tell inform notify
choose select pick
answer reply response respond
send ship deliver dispatch
pay paid payment cost price charge fee
smallest minimum least
large big
show appear
use utilise utilize employ
quick fast rapid
cause reason because due lead
happen occur takeplace
find discover found locate
live reside dwell
say state mention
think believe consider
change alter modify
protect guard defend
allow permit let
photo picture image photograph
film movie
begin start
near close nearby
autumn fall
holiday vacation leave
rule regulation
stay remain
store shop
road street
illness disease sickness
medicine drug medication
test exam examination
boss manager supervisor
garbage rubbish trash waste
phone telephone
tv television
click press push
link hyperlink
set establish
duty responsibility obligation
decide determine decision
write author wrote written
paint painted painting painter
annual yearly
approximately about roughly around
begin origin
attend attendance
weather climate
speak talk said
movie film
quit leave
gift present
lift elevator
big large huge
angry furious
baby infant
beautiful pretty lovely
calm peaceful
clever smart intelligent
couple pair
damage harm
hurt injure injured wound wounded
difference distinction
edge border
environment surroundings
famous renowned
forest woods
happy glad
hospital clinic
important significant crucial essential
increase growth
intend plan aim goal purpose
journey trip travel
law legislation
main primary principal chief key
method approach technique way
money fund cash
mother mom mum
need require
object item thing
ocean sea
part component piece portion
place location site spot
power strength
price cost
quantity amount number
salary wage
search seek
speed velocity pace
surgery operation
sum total
talk lecture presentation
team crew
tool instrument
town city
war conflict
wealthy rich
wood timber
email mail
laptop computer
delete remove erase
fill load
verify check validate
consist comprise compose
contain hold
lead head run
name call
own possess
plant grow
prevent stop avoid
reach arrive
replace substitute swap
return giveback
sleep rest
suggest propose recommend
transport carry
understand comprehend
want wish desire
watch observe
citizen resident inhabitant
member participant
invent devise
fund finance
elect choose
attempt try
convert transform turn
separate divide split
combine merge join
contact reach
sign signature
eat consume feed
freedom liberty
`

/** Irregular forms. */
export const irregular = `
go went gone,take took taken,give gave given,make made,get got gotten,come came,see saw seen,know knew known,think thought,
tell told,feel felt,bring brought,keep kept,hold held,write wrote written,stand stood,hear heard,mean meant,
meet met,run ran,pay paid,sit sat,speak spoke spoken,lead led,read,grow grew grown,lose lost,fall fell fallen,send sent,
build built,understand understood,draw drew drawn,break broke broken,spend spent,drive drove driven,buy bought,wear wore worn,
choose chose chosen,eat ate eaten,fly flew flown,sell sold,teach taught,catch caught,fight fought,seek sought,sleep slept,
throw threw thrown,swim swam swum,sing sang sung,drink drank drunk,begin began begun,ride rode ridden,steal stole stolen,
freeze froze frozen,wake woke woken,win won,find found,say said,do did done,bear bore born,lend lent,bind bound,feed fed,
man men,woman women,child children,foot feet,tooth teeth,mouse mice,wolf wolves,leaf leaves,life lives,knife knives,
good better best,bad worse worst
`

/** Groups of alternatives: one member excludes the others. */
export const groups = `
red blue green yellow black white orange purple violet brown pink grey gray
montag dienstag mittwoch donnerstag freitag samstag sonntag
lundi mardi mercredi jeudi vendredi samedi dimanche
lunes martes miércoles jueves viernes sábado domingo
janvier février avril juin juillet août septembre octobre novembre décembre
monday tuesday wednesday thursday friday saturday sunday
january february march april june july august september october november december
north south east west northern southern eastern western
spring summer autumn winter
mercury venus earth mars jupiter saturn uranus neptune
africa europe asia america australia antarctica
pacific atlantic indian arctic
gold silver copper iron steel bronze aluminium zinc lead
morning afternoon evening night
breakfast lunch dinner supper
`

/** Expressions of several words with the meaning of one word. */
export const phrases: readonly [RegExp, string][] = [
  [/\bout of (?:order|service)\b/g, 'outoforder'],
  [/\b(?:take|takes|took|taking|taken) place\b/g, 'takeplace'],
  [/\bcalled off\b/g, 'calledoff'],
  [/\b(?:turn|turns|turned|came|come|went|go) back\b/g, 'return'],
  [/\b(?:send|sends|sent|give|gave)((?: \w+){0,3}) back\b/g, 'return$1'],
  [/\b(?:try|tries|tried|trying) again\b/g, 'retry'],
  [/\bprior to\b/g, 'before'],
  [/\b(?:has|have|had|having) to\b/g, 'must'],
  [/\b(?:switch|turn)(?:ed|s|ing)?((?: \w+){0,2}) on\b/g, 'enabled$1'],
  [/\b(?:switch|turn|shut)(?:ed|s|ing)?((?: \w+){0,2}) off\b/g, 'disabled$1'],
  [
    /\b(?:stop|prevent|keep|block|hinder|save)(?:s|ped|ed|ing)?\b(?=(?: \w+){0,4}? (?:from \w|\w+ing\b))/g,
    'not',
  ],
  [/\bavoid(?:s|ed|ing)?\b/g, 'not'],
  [/\b(?:fallen|fell|gone|went|goes|is|are|was) out of (use|print|stock|date|reach)\b/g, 'not $1'],
  [/\bco2\b|\bco₂/g, 'carbon dioxide'],
  [/\bh2o\b|\bh₂o/g, 'water'],
  [/\bo2\b|\bo₂/g, 'oxygen'],
  [/\bon account of\b/g, 'because of'],
  [/\b(?:go|goes|went|gone|going) up\b/g, 'increased'],
  [/\b(?:go|goes|went|gone|going) down\b/g, 'decreased'],
  [/\bcall(?:ed|s|ing)?((?: \w+){1,3}) off\b/g, 'calledoff$1'],
  [/\bno longer\b/g, 'not'],
  [/\bunless\b/g, 'if not'],
  [/\b(?:anything but|far from)\b/g, 'not'],
  [/\b(?:refus|fail|declin|neglect)(?:e|es|s|ed|ing)? to\b/g, 'not'],
  [
    /\b(?:at no (?:extra |additional )?(?:cost|charge)|without (?:charge|payment|paying)|for free|for nothing|costs? nothing)\b/g,
    'free',
  ],
  [/\bdaily\b/g, 'every day'],
  [/\bweekly\b/g, 'every week'],
  [/\bmonthly\b/g, 'every month'],
  [/\bas long as not\b/g, 'until'],
  [/\bwent\b(?= (?:bankrupt|bust|missing|wrong|bad|blind|viral))/g, 'became'],
  [/\b(?:get|gets|got|getting) rid of\b/g, 'remove'],
  [/\b(?:put|puts|putting) off\b/g, 'postpone'],
  [/\b(?:push|pushes|pushed) back\b/g, 'postpone'],
  [/\b(?:step|stepped|steps) down\b/g, 'resign'],
  [/\b(?:hand|hands|handed) in\b/g, 'submit'],
  [/\bset(?:s|ting)? up\b/g, 'establish'],
  [/\bfind(?:s|ing)? out\b/g, 'discover'],
  [/\bcarr(?:y|ies|ied) out\b/g, 'perform'],
  [/\b(?:made|make|makes) up of\b/g, 'consist of'],
  [/\bpass(?:ed|es)? away\b/g, 'died'],
  [/\bright away|at once|straight away\b/g, 'immediately'],
  [/\bas well as\b/g, 'and'],
  [/\bon fire\b/g, 'burning'],
  [/\bin spite of\b/g, 'despite'],
  [/\bnot (?:only|just|merely)\b/g, ''],
  [/\bat (?:least|most)\b/g, ''],
  [/\bbut also\b/g, 'and'],
  [/\bfree of charge\b/g, 'free'],
]
