//! scratch
use vaultwright_engine::*;
fn main(){
  let t=std::time::Instant::now();
  let root=DataRoot::Directory("/usr/share/crawl/dat".into());
  let mut e=match Engine::new(EngineOptions{root:root.clone(),..Default::default()}) {Ok(e)=>e,Err(f)=>{eprintln!("{f:?}");return}};
  eprintln!("new {:?}",t.elapsed());
  let src=root.des_sources().unwrap();
  eprintln!("read {:?}",t.elapsed());
  let p=e.load(src);
  eprintln!("load {:?} problems {}",t.elapsed(),p.len());
  for p in p.iter().take(40){ let pos=p.file.lines.position(p.span.start); eprintln!("{}:{}:{}: {:?} {} [{:?}]",p.file.source.name,pos.line,pos.column,p.code,p.message,p.map);}
  let lib=e.library(); eprintln!("{} maps",lib.maps.len());
  let filter=std::env::args().nth(1);
  let seeds: u64 = std::env::args().nth(2).map_or(3,|s|s.parse().unwrap());
  for i in 0..lib.maps.len(){
    let name=&lib.maps[i].definition.name;
    if let Some(f)=&filter { if f!="all" && f!=name {continue} }
    for seed in 1..=seeds {
      let tt=std::time::Instant::now(); let rr=e.resolve(i,seed); let el=tt.elapsed(); if el.as_micros()>2000 {eprintln!("SLOW {} {}",el.as_micros(),name);}
      match rr{
        Resolution::Ok(r)=>{ if filter.as_deref().is_some_and(|f|f!="all") {eprintln!("{:?} {}",r.map.orient,r.map.tag_string());}
          let mut rows=String::new();
          for (n,row) in r.map.grid.rows().iter().enumerate(){ if n>0{rows.push_str("\\n");} for &b in row { match b { b'\\'=>rows.push_str("\\\\"), b'\t'=>rows.push_str("\\t"), b=>rows.push(b as char)} } }
          let d:Vec<String>=r.draws.iter().map(|(i,n)|format!("{i}:{n}")).collect();
          println!("{name}\t{seed}\tok\t{}\t{}\t{rows}\t{}",r.map.grid.width(),r.map.grid.height(),d.join(","));
        }
        Resolution::None{message,problem,..}=>{
          println!("{name}\t{seed}\tnone\t{}{}",message.replace('\n'," "), problem.map(|p|{let pos=p.file.lines.position(p.span.start);format!(" @{}:{}",p.file.source.name,pos.line)}).unwrap_or_default());
        }
      }
      if filter.as_deref().is_some_and(|f|f!="all") { for m in e.take_messages(){eprintln!("  msg {m}");} }
    }
  }
  eprintln!("done {:?}",t.elapsed());
}
