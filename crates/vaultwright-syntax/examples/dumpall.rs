//! scratch
fn main(){
  let mut out=Vec::new();
  let mut errs=0;
  for f in std::env::args().skip(1){
    let src=std::fs::read(&f).unwrap();
    let file=vaultwright_syntax::parse(&src);
    let mut at=0; for t in &file.tokens { assert_eq!(t.span.start,at,"{f} {t:?}"); at=t.span.end; } assert_eq!(at,src.len(),"{f}");
    for e in &file.errors { errs+=1; eprintln!("{f}:{:?}: {} {:?}", vaultwright_syntax::LineIndex::new(&src).position(e.span.start), e.message,e.kind); }
    for m in &file.maps { vaultwright_syntax::dump_map(m,&src,&mut out); }
  }
  eprintln!("{errs} errs");
  use std::io::Write; std::io::stdout().write_all(&out).unwrap();
}
