#include "train/fit.h"

#include "base/error.h"

zf_status zf_fitting_run(zf_fitting *fitting, int threads, zf_fitting_build *build, void *context)
{
    zf_training *training = &fitting->training;
    *fitting = (zf_fitting){.optimiser = zf_optimiser_defaults()};
    ZF_TRY(zf_crew_new(&fitting->crew, threads));
    ZF_TRY(build(context, fitting));
    training->crew = fitting->crew;
    ZF_TRY(zf_optimiser_new(&training->optimiser, zf_program_params(training->program),
                            &fitting->optimiser));
    return zf_train(&fitting->trained, training);
}

void zf_fitting_free(zf_fitting *fitting)
{
    zf_optimiser_free(fitting->training.optimiser);
    zf_crew_free(fitting->crew);
    *fitting = (zf_fitting){0};
}
